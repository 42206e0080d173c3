import type { Contract } from '../../contracts/contracts.ts'
import { createMemberWriters, createObjectWriter } from './field-writer.ts'
import { createProse, type Prose } from './prose.ts'
import { recordSeed, toRunSeed, toSalt } from './seed.ts'
import { toLanguage, type Language } from './words.ts'

export interface GenerateRecordOptions {
  /** Any whole number: the same seed gives the same records on every machine. */
  readonly seed: number
  /** The locales that texts are in, most of them in the first ones. Default nl, fr, en, de, en_AU. */
  readonly locales?: readonly string[]
  /** How many products there are: links go to one of the first so many. Default 50,000. */
  readonly products?: number
}

const usualLocales = ['nl', 'fr', 'en', 'de', 'en_AU'] as const
const usualProducts = 50_000

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
  const { scope, seedOf } = toRoot(contract, options)
  const write = createObjectWriter(contract.fields, scope, toRequired(contract))
  return (index) => write(seedOf(index), 0, index)
}

/**
 * The same records, each member made when it is read, and every time it is: for whoever looks at a few members of many
 * records. The members cannot be listed.
 */
export function createRecordReader(
  contract: Contract,
  options: GenerateRecordOptions,
): (index: number) => Readonly<Record<string, unknown>> {
  const { write, seedOf } = createRecordMembers(contract, options)
  return (index) => {
    const seed = seedOf(index)
    const read = (name: string): unknown => {
      const text = write.get(name)?.(seed, index) ?? ''
      return text === '' ? undefined : JSON.parse(text)
    }
    return new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? read(name) : undefined) })
  }
}

/** What writes each member of a contract's records. */
export interface RecordMembers {
  /** By name, in the order of the contract: the JSON text of a value; nothing where the record leaves the key out. */
  readonly write: ReadonlyMap<string, (seed: number, index: number) => string>
  /** The seed that record number `index` has unless it is given another. */
  readonly seedOf: (index: number) => number
}

/** The members of the same records, for whoever makes some of them from another seed. */
export function createRecordMembers(contract: Contract, options: GenerateRecordOptions): RecordMembers {
  const { scope, seedOf } = toRoot(contract, options)
  return { write: createMemberWriters(contract.fields, scope, toRequired(contract)), seedOf }
}

/** The scope of a contract's root fields, and the seeds of its records. */
function toRoot(contract: Contract, options: GenerateRecordOptions) {
  const { seed, locales = usualLocales, products = usualProducts } = options
  const run = {
    seed: toRunSeed(seed),
    products,
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
  const salt = toSalt(contract.record)
  return { scope, seedOf: (index: number) => recordSeed(run.seed, salt, index) }
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
