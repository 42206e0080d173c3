import { isObject } from '../../records/json/json-values.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { listOf, textIn } from './record-values.ts'

export interface FilterKey {
  /** The part of the parameter that `project` depends on, such as a locale. */
  readonly variant?: (parameter: unknown) => string
  /** False if `project` needs only the number. Default true. */
  readonly needsRecord?: boolean
  readonly project: (record: JsonObject, number: number, variant: string) => unknown
  readonly toTest: (parameter: unknown) => (projected: unknown) => boolean
  /** Finds a problem in a parameter that the request schema accepts but the service does not. */
  readonly findProblem?: (parameter: unknown) => string | undefined
}

type Read = (record: JsonObject) => unknown

/** Matches text exactly: any value of the record with any of the parameter. */
export function terms(read: Read): FilterKey {
  return membership(read, String)
}

/** Matches codes as numbers or text, with or without leading zeros. */
export function codes(read: Read): FilterKey {
  return membership(read, toCode)
}

export function identities(toId: (number: number) => unknown): FilterKey {
  return { needsRecord: false, project: (_record, number) => String(toId(number)), toTest: toMembershipTest(String) }
}

export function flag(read: Read): FilterKey {
  return { project: read, toTest: (parameter) => (projected) => projected === parameter }
}

/**
 * Matches date-times in a range, ends included. A date-time alone is the beginning of an open range, as in
 * `updatedSince`.
 */
export function dateTime(read: Read): FilterKey {
  return {
    project: read,
    toTest(parameter) {
      const { from, until } = toRange(parameter)
      return (projected) => typeof projected === 'number' && projected >= from && projected <= until
    },
    findProblem: findDateTimeProblem,
  }
}

/** Matches records with a period `[from, until]` that overlaps the range. Missing ends are open. */
export function periods(read: (record: JsonObject) => readonly Period[]): FilterKey {
  return {
    project: read,
    toTest(parameter) {
      const range = toRange(parameter)
      return (projected) =>
        (projected as readonly Period[]).some(([from, until]) => from <= range.until && until >= range.from)
    },
    findProblem: findDateTimeProblem,
  }
}

export type Period = readonly [from: number, until: number]

export function toPeriod(from: unknown, until: unknown): Period {
  return [typeof from === 'number' ? from : -Infinity, typeof until === 'number' ? until : Infinity]
}

/**
 * Matches words in a text, regardless of case. Type `contains` searches for the whole query; other types, which are not
 * documented, search for each of its words. A query without a locale is searched for in every locale.
 */
export function words(read: Read): FilterKey {
  return {
    variant: (parameter) => (isObject(parameter) ? String(parameter['locale']) : ''),
    project: (record, _number, locale) => toSearched(read(record), locale),
    toTest(parameter) {
      const { query, type } = isObject(parameter) ? parameter : { query: parameter }
      const sought = String(query).toLowerCase()
      const parts = type === 'contains' ? [sought] : sought.split(/\s+/).filter((part) => part !== '')
      return (projected) => typeof projected === 'string' && parts.every((part) => projected.includes(part))
    },
  }
}

export function comparison(read: (record: JsonObject) => number): FilterKey {
  return {
    project: read,
    toTest(parameter) {
      const { value, operator = 'eq' } = parameter as { value: number; operator?: keyof typeof operators }
      return (projected) => operators[operator](projected as number, value)
    },
    findProblem(parameter) {
      const { value } = parameter as { readonly value: unknown }
      return typeof value === 'number' ? undefined : `expected a number, got text "${String(value)}"`
    },
  }
}

const operators = {
  eq: (left: number, right: number) => left === right,
  neq: (left: number, right: number) => left !== right,
  gt: (left: number, right: number) => left > right,
  gte: (left: number, right: number) => left >= right,
  lt: (left: number, right: number) => left < right,
  lte: (left: number, right: number) => left <= right,
}

function membership(read: Read, toTerm: (value: unknown) => string | number): FilterKey {
  return {
    // Most records have one value, which needs no list.
    project(record) {
      const values = listOf(read(record)).map((value) => toTerm(value))
      return values.length > 1 ? values : values[0]
    },
    toTest: toMembershipTest(toTerm),
  }
}

function toMembershipTest(toTerm: (value: unknown) => string | number) {
  return (parameter: unknown) => {
    const wanted = new Set<unknown>(listOf(parameter).map((value) => toTerm(value)))
    return (projected: unknown) =>
      Array.isArray(projected) ? projected.some((value) => wanted.has(value)) : wanted.has(projected)
  }
}

function toCode(value: unknown): string | number {
  const text = String(value)
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function toRange(parameter: unknown): { from: number; until: number } {
  const range = isObject(parameter) ? parameter : { from: parameter }
  const [from, until] = toPeriod(range['from'], range['until'])
  return { from, until }
}

/** Reports `2026-01-01` and `-24h`, which configs may use. The service accepts unix seconds only. */
function findDateTimeProblem(parameter: unknown): string | undefined {
  const dateTimes = isObject(parameter) ? Object.values(parameter) : [parameter]
  const wrong = dateTimes.find((value) => typeof value === 'string')
  return wrong === undefined ? undefined : `expected unix seconds, got text "${wrong}"`
}

function toSearched(value: unknown, locale: string): string | undefined {
  if (locale !== '') return textIn(value, locale)?.toLowerCase()
  return (isObject(value) ? Object.values(value) : [value])
    .filter((text) => typeof text === 'string')
    .join('\n')
    .toLowerCase()
}
