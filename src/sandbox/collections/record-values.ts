import { isObject } from '../../records/json/json-values.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { childSeed, toSalt } from '../data/seed.ts'

/** A value as a list: of one, where it is none; of nothing, where it is null or missing. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? (value as unknown[]).filter((item) => item !== null) : [value]
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter((item) => isObject(item))
}

/** The ids of linked records, given as objects or bare, alone or in a list. */
export function idsOf(value: unknown): readonly unknown[] {
  return listOf(listOf(value).map((item) => (isObject(item) ? item['id'] : item)))
}

/** A localized text in a locale; a plain one suits all. */
export function textIn(value: unknown, locale: string): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, locale) ? value[locale] : value
  return typeof text === 'string' ? text : undefined
}

/** A date-time of the record's `meta`, which may be missing. */
export function timeOf(record: JsonObject, key: 'createdAt' | 'updatedAt'): number | undefined {
  return numberOf(isObject(record['meta']) ? record['meta'][key] : undefined)
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/**
 * A value that filters and sortings have but records do not show: a whole number below `limit` that seems random and
 * depends on the record's id and the name alone.
 */
export function syntheticValue(record: JsonObject, name: string, limit: number): number {
  return childSeed(toSalt(String(record['id'])), toSalt(name)) % limit
}
