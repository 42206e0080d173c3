import { anyLocale, toDeliveredLocale } from '../contracts/any-locale.ts'
import { listOddCodes } from '../contracts/joined-codes.ts'
import type { Field } from '../contracts/fields.ts'
import type { Drift } from '../manifest/manifest.ts'

/** Receives the drift that a walk over a record, or over several at once, finds: `times` is 1 by default. */
export interface DriftListener {
  unknownField(path: string, times?: number): void
  unknownValue(path: string, value: string, times?: number): void
  otherLocale(locale: string, times?: number): void
  oddCode(path: string, code: string, times?: number): void
  nullElement(path: string, times?: number): void
  invalidValue(path: string, shown: string, times?: number): void
}

type Walk = (value: unknown, listener: DriftListener) => void

const mostValues = 100
const otherValues = '(other values)'
/** Names in records are unbounded: each with a random key of its own would make a manifest as large as the data. */
const mostNames = 1_000

export function emptyDrift(): Drift {
  return {
    unknownFields: noCounts(),
    unknownValues: noCounts(),
    otherLocales: noCounts(),
    oddCodes: noCounts(),
    nullElements: noCounts(),
    invalidValues: noCounts(),
    duplicateKeys: noCounts(),
  }
}

/** Without a prototype: a field may be called `__proto__`. */
function noCounts<Counts>(): Record<string, Counts> {
  return Object.create(null) as Record<string, Counts>
}

/** A walk over records in canonical form that reports every field and value that the contract does not list. */
export function compileDriftWalk(fields: ReadonlyMap<string, Field>, locales: readonly string[]): Walk {
  return walkObject(fields, '', new Set(locales))
}

/** Counts into `drift`; per path the first 100 distinct values are counted apart. */
export function createDriftCounter(drift: Drift): DriftListener {
  return {
    unknownField: (path, times) => count(drift.unknownFields, path, times),
    unknownValue: (path, value, times) => countValue(drift.unknownValues, path, value, times),
    otherLocale: (locale, times) => count(drift.otherLocales, locale, times),
    oddCode: (path, code, times) => countValue(drift.oddCodes, path, code, times),
    nullElement: (path, times) => count(drift.nullElements, path, times),
    invalidValue: (path, shown, times) => countValue(drift.invalidValues, path, shown, times),
  }
}

/**
 * Adds the counts of `other`, of a block, to `drift`: of fields, locales and repeated keys the first 1,000 names apart, and
 * the others together.
 */
export function addDrift(drift: Drift, other: Drift): void {
  addNames(drift.unknownFields, other.unknownFields, '(other fields)')
  addNames(drift.otherLocales, other.otherLocales, '(other locales)')
  addNames(drift.duplicateKeys, other.duplicateKeys, '(other keys)')
  for (const [path, times] of Object.entries(other.nullElements)) count(drift.nullElements, path, times)
  addValues(drift.unknownValues, other.unknownValues)
  addValues(drift.oddCodes, other.oddCodes)
  addValues(drift.invalidValues, other.invalidValues)
}

/** Counts a key of a record that no walk over the parsed record can see. */
export function countDuplicateKey(drift: Drift, path: string, times = 1): void {
  count(drift.duplicateKeys, path, times)
}

/**
 * Adds in the order of names if not all of a block find room: fast and reference path find them in different orders.
 */
function addNames(counts: Record<string, number>, others: Readonly<Record<string, number>>, rest: string): void {
  const isKnown = (name: string): boolean => Object.hasOwn(counts, name)
  const names = Object.keys(others)
  let room = mostNames - Object.keys(counts).filter((name) => name !== rest).length
  const isCrowded = names.filter((name) => !isKnown(name)).length > room
  for (const name of isCrowded ? names.toSorted() : names) {
    const isNew = !isKnown(name) && name !== rest
    if (isNew) room--
    count(counts, isNew && room < 0 ? rest : name, others[name])
  }
}

type ValueCounts = Record<string, Record<string, number>>

function addValues(counts: ValueCounts, others: ValueCounts): void {
  for (const [path, values] of Object.entries(others)) {
    for (const [value, times] of Object.entries(values)) countValue(counts, path, value, times)
  }
}

function countValue(counts: ValueCounts, path: string, value: string, times = 1): void {
  const values = (counts[path] ??= noCounts())
  const isNew = !Object.hasOwn(values, value)
  count(values, isNew && Object.keys(values).length >= mostValues ? otherValues : value, times)
}

function count(counts: Record<string, number>, key: string, times = 1): void {
  counts[key] = (counts[key] ?? 0) + times
}

function compileWalk(field: Field, path: string, locales: ReadonlySet<string>): Walk | null {
  switch (field.kind) {
    case 'scalar':
      if (field.values !== undefined) return walkChoice(new Set(field.values), path)
      return field.length === undefined ? null : walkCode(field.length, path)
    case 'object':
      return walkObject(field.fields, `${path}.`, locales)
    case 'localized':
      return walkLocalized(compileWalk(field.element, `${path}.*`, locales), locales)
    case 'list': {
      const walk = compileWalk(field.element, `${path}[]`, locales)
      return walkList(walk, `${path}[]`)
    }
  }
}

function walkObject(fields: ReadonlyMap<string, Field>, prefix: string, locales: ReadonlySet<string>): Walk {
  const walks = new Map<string, Walk | null>()
  for (const [name, field] of fields) walks.set(name, compileWalk(field, prefix + name, locales))
  return (value, listener) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      const walk = walks.get(name)
      if (walk === undefined) listener.unknownField(prefix + name)
      else if (walk !== null && member !== null) walk(member, listener)
    }
  }
}

function walkLocalized(walkElement: Walk | null, locales: ReadonlySet<string>): Walk {
  return (value, listener) => {
    if (typeof value !== 'object' || value === null) return
    for (const [locale, element] of Object.entries(value)) {
      if (element === null || element === undefined) continue
      if (locale !== anyLocale && !locales.has(locale)) listener.otherLocale(toDeliveredLocale(locale))
      walkElement?.(element, listener)
    }
  }
}

function walkList(walkElement: Walk | null, path: string): Walk {
  return (value, listener) => {
    if (!Array.isArray(value)) return
    for (const element of value) {
      if (element === null) listener.nullElement(path)
      else walkElement?.(element, listener)
    }
  }
}

function walkCode(length: number, path: string): Walk {
  return (value, listener) => {
    if (typeof value === 'string') for (const code of listOddCodes(value, length)) listener.oddCode(path, code)
  }
}

function walkChoice(values: ReadonlySet<string>, path: string): Walk {
  return (value, listener) => {
    if (typeof value === 'string' && !values.has(value)) listener.unknownValue(path, value)
  }
}
