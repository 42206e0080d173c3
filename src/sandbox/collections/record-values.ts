import { isObject } from '../../records/json/json-values.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { childSeed, toSalt } from '../data/seed.ts'

/** Wraps a single value in a list; null and missing values become an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? (value as unknown[]).filter((item) => item !== null) : [value]
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter((item) => isObject(item))
}

/** Ids of linked records, given as objects or bare ids, alone or in a list. */
export function idsOf(value: unknown): readonly unknown[] {
  return listOf(listOf(value).map((item) => (isObject(item) ? item['id'] : item)))
}

/** The text of a locale; a plain text is valid for all locales. */
export function textIn(value: unknown, locale: string): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, locale) ? value[locale] : value
  return typeof text === 'string' ? text : undefined
}

export function timeOf(record: JsonObject, key: 'createdAt' | 'updatedAt'): number | undefined {
  return numberOf(isObject(record['meta']) ? record['meta'][key] : undefined)
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/**
 * Derives a whole number below `limit` from the record's id and the name, for values that filters and sortings use but
 * records do not show.
 */
export function syntheticValue(record: JsonObject, name: string, limit: number): number {
  return childSeed(toSalt(String(record['id'])), toSalt(name)) % limit
}
