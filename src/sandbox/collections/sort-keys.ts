import type { JsonObject } from '../data/record-writer.ts'
import { textIn } from './record-values.ts'

export type SortKey =
  | 'naturalOrder'
  | {
      readonly variant?: (parameter: unknown) => string
      /** The value to compare: numbers by size, text by code units, null last in both directions. */
      readonly project: (record: JsonObject, number: number, variant: string) => string | number | null
    }

export function byText(read: (record: JsonObject) => unknown): SortKey {
  return {
    project(record) {
      const value = read(record)
      return typeof value === 'string' ? value : null
    },
  }
}

export function byNumber(read: (record: JsonObject) => number | undefined): SortKey {
  return { project: (record) => read(record) ?? null }
}

export function byCode(read: (record: JsonObject) => unknown): SortKey {
  return byNumber((record) => {
    const value = read(record)
    return value === null || value === undefined ? undefined : Number(value)
  })
}

export const byName: SortKey = {
  variant: (parameter) => (parameter as { locale: string }).locale,
  project: (record, _number, locale) => textIn(record['name'], locale) ?? null,
}
