import type { Prose } from './prose.ts'
import type { Language } from './words.ts'

/**
 * Writes one value as JSON, as JSON.stringify would. The result depends only on the value's own `seed`, the seed of the
 * `record` (nested or not) that holds the field, and that record's number among its kind.
 */
export type Write = (seed: number, record: number, index: number) => string

export interface Place {
  /** Kind of record that holds the field, such as `photo`. */
  readonly record: string
  /** Field that holds the record, such as `photos`; for root fields, the name of the contract. */
  readonly parent: string
  readonly name: string
}

export interface Scope extends Place {
  readonly language: Language
  readonly run: GenerateRun
}

export interface GenerateRun {
  readonly seed: number
  readonly products: number
  readonly locales: readonly string[]
  readonly rootFields: readonly string[]
  readonly prose: (language: Language) => Prose
}

/** Finds the entry of a field, with the most specific key first: `photos.type`, `photo.type`, `photo.*`, `type`. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, place: Place): Entry | undefined {
  const { record, parent, name } = place
  return table[`${parent}.${name}`] ?? table[`${record}.${name}`] ?? table[`${record}.*`] ?? table[name]
}
