import type { Contract } from '../../contracts/contracts.ts'
import { createMemberWriters, createObjectWriter } from './field-writer.ts'
import { memoize } from './memoize.ts'
import { createProse } from './prose.ts'
import { recordSeed, toRunSeed, toSalt } from './seed.ts'
import { toLanguage } from './words.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface GenerateRecordOptions {
  /** Any whole number. The same seed gives the same records on every machine. */
  readonly seed: number
  /** Locales of texts, the first ones most frequently. Default nl, fr, en, de, en_AU. */
  readonly locales?: readonly string[]
  /** Number of products that links may refer to. Default 50,000. */
  readonly products?: number
}

const usualLocales = ['nl', 'fr', 'en', 'de', 'en_AU'] as const
const usualProducts = 50_000

/**
 * Creates records of a contract as JSON, in the form that the service delivers. A record depends on its number only,
 * and its id ascends with the number. Fields are valid by the contract, and now and then null or missing.
 */
export function createRecordWriter(contract: Contract, options: GenerateRecordOptions): (index: number) => string {
  const { scope, seedOf } = toRoot(contract, options)
  const write = createObjectWriter(contract.fields, scope, toRequired(contract))
  return (index) => write(seedOf(index), 0, index)
}

/**
 * Creates the same records with lazy members, which is faster for a few members of many records. Members can't be
 * enumerated.
 */
export function createRecordReader(contract: Contract, options: GenerateRecordOptions): (index: number) => JsonObject {
  const { write, seedOf } = createRecordMembers(contract, options)
  return (index) => {
    const seed = seedOf(index)
    return toLazyRecord((name) => write.get(name)?.(seed, index) ?? '')
  }
}

/**
 * Creates a record whose members are parsed when read. `write` returns the JSON of a member, or nothing if it is
 * missing.
 */
export function toLazyRecord(write: (name: string) => string): JsonObject {
  const read = (name: string): unknown => {
    const text = write(name)
    return text === '' ? undefined : JSON.parse(text)
  }
  return new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? read(name) : undefined) })
}

export interface RecordMembers {
  /** Writers by name, in the order of the contract. They return nothing if the record leaves the key out. */
  readonly write: ReadonlyMap<string, (seed: number, index: number) => string>
  readonly seedOf: (index: number) => number
}

/** Creates the writers of members, so some of them can use another seed. */
export function createRecordMembers(contract: Contract, options: GenerateRecordOptions): RecordMembers {
  const { scope, seedOf } = toRoot(contract, options)
  return { write: createMemberWriters(contract.fields, scope, toRequired(contract)), seedOf }
}

const proseOf = memoize(createProse)

function toRoot(contract: Contract, options: GenerateRecordOptions) {
  const { seed, locales = usualLocales, products = usualProducts } = options
  const run = {
    seed: toRunSeed(seed),
    products,
    locales,
    rootFields: [...contract.fields.keys()],
    prose: proseOf,
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

function toRequired(contract: Contract): ReadonlySet<unknown> {
  const issues = contract.schema.safeParse({}).error?.issues ?? []
  return new Set(issues.map((issue) => issue.path[0]))
}
