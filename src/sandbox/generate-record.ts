import type { Contract } from '../contracts/contracts.ts'
import { createObjectWriter } from './generate-field.ts'
import { createProse, type Prose } from './generate-prose.ts'
import { recordSeed, toRunSeed, toSalt } from './generate-seed.ts'
import { toLanguage, type Language } from './generate-words.ts'

export interface GenerateRecordOptions {
  /** Any whole number: the same seed gives the same records on every machine. */
  readonly seed: number
  /** The locales that texts are in, most of them in the first ones. Default nl, fr, en, de, en_AU. */
  readonly locales?: readonly string[]
}

const usualLocales = ['nl', 'fr', 'en', 'de', 'en_AU'] as const

/**
 * Records of a contract in the form that the service delivers. Record number `index` is the same whichever were made
 * before; its id is unique and rises with the index. Made from the contract's field tree: every field of the contract
 * is there, valid, and now and then null or missing.
 */
export function createRecordGenerator(
  contract: Contract,
  options: GenerateRecordOptions,
): (index: number) => Record<string, unknown> {
  const write = createRecordWriter(contract, options)
  return (index) => JSON.parse(write(index)) as Record<string, unknown>
}

/** The same records as their JSON text, which is many times faster. */
export function createRecordWriter(contract: Contract, options: GenerateRecordOptions): (index: number) => string {
  const { seed, locales = usualLocales } = options
  const run = {
    seed: toRunSeed(seed),
    locales,
    rootFields: [...contract.fields.keys()],
    prose: rememberProse(),
  }
  const scope = {
    record: contract.record,
    parent: contract.name,
    name: '',
    language: toLanguage(locales[0] ?? ''),
    run,
  }
  const write = createObjectWriter(contract.fields, scope, toRequired(contract))
  const salt = toSalt(contract.record)
  return (index) => write(recordSeed(run.seed, salt, index), 0, index)
}

function rememberProse(): (language: Language) => Prose {
  const known = new Map<Language, Prose>()
  return (language) => {
    const prose = known.get(language) ?? createProse(language)
    known.set(language, prose)
    return prose
  }
}

/** The root fields that the contract does not let a record lack. */
function toRequired(contract: Contract): ReadonlySet<unknown> {
  const issues = contract.schema.safeParse({}).error?.issues ?? []
  return new Set(issues.map((issue) => issue.path[0]))
}
