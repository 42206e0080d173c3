import { isObject } from '../../records/json/json-values.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { listOf, textIn } from './record-values.ts'

export interface FilterKey {
  /** The part of the parameter that `project` depends on, such as a locale. */
  readonly variant?: (parameter: unknown) => string
  /** False: `project` needs the number alone. Default true. */
  readonly needsRecord?: boolean
  /** The value of a record that the filter needs. */
  readonly project: (record: JsonObject, number: number, variant: string) => unknown
  /** The test of a projected value against the parameter. */
  readonly toTest: (parameter: unknown) => (projected: unknown) => boolean
  /** The problem of a parameter that the request schema accepts, as it knows more forms than the service. */
  readonly findProblem?: (parameter: unknown) => string | undefined
}

type Read = (record: JsonObject) => unknown

/** One or more values as text, exactly: any of the record's matches any of the parameter's. */
export function terms(read: Read): FilterKey {
  return membership(read, String)
}

/** The same for codes, with and without their leading zeros, as numbers and as text. */
export function codes(read: Read): FilterKey {
  return membership(read, toCode)
}

/** Ids that follow from the record's number. */
export function identities(toId: (number: number) => unknown): FilterKey {
  return { needsRecord: false, project: (_record, number) => String(toId(number)), toTest: toMembershipTest(String) }
}

/** True or false. A record that has neither matches neither. */
export function flag(read: Read): FilterKey {
  return { project: read, toTest: (parameter) => (projected) => projected === parameter }
}

/** A date-time within a range, both ends included. A date-time alone as parameter means from then on: `updatedSince`. */
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

/** Periods `[from, until]`: one of them overlaps the range. A missing end is open. */
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
 * Words in a text of the record, whatever their case: with type `contains` the query as it is, else each of its words
 * anywhere (other types are not shown). A query that is text alone is looked for in every locale.
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

/** A number that the parameter `{ value, operator? }` is compared with. */
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
    // One value alone takes no list: most records have one.
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

/** Configs may say `2026-01-01` or `-24h`; the service takes unix seconds. */
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
