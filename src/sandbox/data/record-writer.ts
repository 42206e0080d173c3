import type { Contract } from '../../contracts/contracts.ts'
import { createMemberWriters, createObjectWriter } from './field-writer.ts'
import { memoize } from './memoize.ts'
import { createProse } from './prose.ts'
import { recordSeed, toRunSeed, toSalt } from './seed.ts'
import { toLanguage } from './words.ts'

/** A record, or an object in one, as parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

export interface GenerateRecordOptions {
  /** Any whole number: the same seed gives the same records on every machine. */
  readonly seed: number
  /** The locales that texts are in, most of them in the first ones. Default nl, fr, en, de, en_AU. */
  readonly locales?: readonly string[]
  /** The number of products that links may go to. Default 50,000. */
  readonly products?: number
}

const usualLocales = ['nl', 'fr', 'en', 'de', 'en_AU'] as const
const usualProducts = 50_000

/**
 * Records of a contract as JSON text, in the form that the service delivers. Record number `index` is the same whichever
 * were made before; its id is unique and rises with the index. Every field of the contract is valid, and now and then
 * null or missing.
 */
export function createRecordWriter(contract: Contract, options: GenerateRecordOptions): (index: number) => string {
  const { scope, seedOf } = toRoot(contract, options)
  const write = createObjectWriter(contract.fields, scope, toRequired(contract))
  return (index) => write(seedOf(index), 0, index)
}

/**
 * The same records, each member made whenever it is read: the fast way to look at a few members of many records. The
 * members can't be listed.
 */
export function createRecordReader(contract: Contract, options: GenerateRecordOptions): (index: number) => JsonObject {
  const { write, seedOf } = createRecordMembers(contract, options)
  return (index) => {
    const seed = seedOf(index)
    return toLazyRecord((name) => write.get(name)?.(seed, index) ?? '')
  }
}

/** A record of members that are made when they are read. `write` gives the JSON text of a member; nothing if it is missing. */
export function toLazyRecord(write: (name: string) => string): JsonObject {
  const read = (name: string): unknown => {
    const text = write(name)
    return text === '' ? undefined : JSON.parse(text)
  }
  return new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? read(name) : undefined) })
}

/** The writers of the members of a contract's records. */
export interface RecordMembers {
  /** By name, in the order of the contract: the JSON text of a value; nothing if the record leaves the key out. */
  readonly write: ReadonlyMap<string, (seed: number, index: number) => string>
  /** The seed that record number `index` has unless it is given another. */
  readonly seedOf: (index: number) => number
}

/** The members of the same records, so that some of them can be made from another seed. */
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
    prose: memoize(createProse),
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

/** The root fields that the contract does not let a record lack. */
function toRequired(contract: Contract): ReadonlySet<unknown> {
  const issues = contract.schema.safeParse({}).error?.issues ?? []
  return new Set(issues.map((issue) => issue.path[0]))
}
