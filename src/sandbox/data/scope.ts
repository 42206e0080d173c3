import type { Prose } from './prose.ts'
import type { Language } from './words.ts'

/**
 * Writes one value as JSON text, as JSON.stringify would. A pure function of the value's own `seed`, the seed of the
 * `record` (nested or not) that holds the field, and that record's number among its kind.
 */
export type Write = (seed: number, record: number, index: number) => string

/** The position of a field in a contract. */
export interface Place {
  /** The kind of record that holds the field: `photo`. */
  readonly record: string
  /** The field that holds the record, `photos`; for the fields of the root, the name of the contract. */
  readonly parent: string
  readonly name: string
}

/** The position of a field, and the data that its writer uses. */
export interface Scope extends Place {
  readonly language: Language
  readonly run: GenerateRun
}

/** The data that all fields of a contract share. */
export interface GenerateRun {
  readonly seed: number
  /** The number of products to link to. */
  readonly products: number
  readonly locales: readonly string[]
  /** The names of the fields of the contract's root. */
  readonly rootFields: readonly string[]
  /** The prose of a language, made when first asked for. */
  readonly prose: (language: Language) => Prose
}

/** The entry of a table for a field, the most exact key first: `photos.type`, `photo.type`, `photo.*`, `type`. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, place: Place): Entry | undefined {
  const { record, parent, name } = place
  return table[`${parent}.${name}`] ?? table[`${record}.${name}`] ?? table[`${record}.*`] ?? table[name]
}
