import { isLosslessNumber } from 'lossless-json'
import type { Contract } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { emptyDrift } from '../../records/drift.ts'
import { formatJson } from '../../records/json/json-text.ts'
import { isObject } from '../../records/json/json-values.ts'
import { parseText } from '../../records/parse-line.ts'
import { validateExactly } from '../../records/validate/validate-exactly.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'
import type { ComparedFields } from './choose-fields.ts'
import type { Difference } from './diff-report.ts'

export interface RecordComparison {
  /** The differences between the records of two lines that can be parsed, in the order of their fields. */
  compare(old: Buffer, next: Buffer): Difference[]
  /** The record of a line, and its text as JSON, as it is compared. */
  show(line: Buffer): { readonly id: string; readonly text: string }
}

const tolerant = { unknownFields: 'ignore', unknownValues: 'report', invalidValues: 'reject' } as const

/**
 * Compares records as their contract reads them: numbers as text, codes without their zeros and empty lists in the place of
 * objects make no difference. Where one of two breaks the contract, both are compared as they were delivered.
 *
 * Null, a missing field and an object without a filled member are the same. Elements with ids are compared by id, of other
 * lists those that are equal are left out and the others compared in their order: the order alone is no difference.
 */
export function compileComparison(contract: Contract, fields: ComparedFields): RecordComparison {
  const validate = validateExactly(contract, compileValidation(contract, tolerant, []), tolerant)

  /** The canonical record; null where it breaks the contract. */
  function read(line: Buffer): unknown {
    const parsed = parseText(line.toString(), true)
    return parsed.kind === 'record' ? validate(parsed, emptyDrift(), true).record : null
  }

  return {
    compare(oldLine, newLine) {
      const [old, next] = [read(oldLine), read(newLine)]
      const isCanonical = old !== null && next !== null
      const values = isCanonical ? [old, next] : [readDelivered(oldLine), readDelivered(newLine)]
      const id = idOf(values[1])
      return unlessTooDeep(
        () => {
          const differences: Difference[] = []
          compareMembers(values[0], values[1], { id, path: '', element: null, fields, differences })
          return differences
        },
        () => [{ id, field: wholeRecord, element: null, old: oldLine.toString(), new: newLine.toString() }],
      )
    },
    show(line) {
      const record = read(line) ?? readDelivered(line)
      const text = unlessTooDeep(
        () => formatJson(record),
        () => line.toString(),
      )
      return { id: idOf(record), text }
    },
  }
}

/** The path of a whole record, as in configs. */
export const wholeRecord = '$'

/** Values may be nested deeper than the stack is. */
function unlessTooDeep<Result>(work: () => Result, otherwise: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return otherwise()
    throw error
  }
}

function readDelivered(line: Buffer): unknown {
  const parsed = parseText(line.toString(), true)
  if (parsed.kind === 'record') return parsed.delivered
  throw new CatalogueError('SOURCE_CHANGED', 'expected a record where one was read before, got a line that is none')
}

function idOf(record: unknown): string {
  return isObject(record) ? String(record['id']) : ''
}

/** The place of two values, and where their differences go. */
interface Place {
  readonly id: string
  readonly path: string
  readonly element: string | null
  readonly fields: ComparedFields
  readonly differences: Difference[]
}

function compareValues(old: unknown, next: unknown, place: Place): void {
  if (old === next || !place.fields.reaches(place.path)) return
  if (isNothing(old) && isNothing(next)) return
  const areMembers = (isPlainObject(old) || isNothing(old)) && (isPlainObject(next) || isNothing(next))
  if (areMembers) return compareMembers(old, next, place)
  const [oldList, newList] = [toList(old), toList(next)]
  const areElements = oldList !== null && newList !== null && oldList.length + newList.length > 0
  if (areElements) return compareLists(oldList, newList, { ...place, path: `${place.path}[]` })
  if (place.fields.isCompared(place.path)) addDifference(old, next, place)
}

function addDifference(old: unknown, next: unknown, { id, path, element, differences }: Place): void {
  const [oldText, newText] = [toText(old), toText(next)]
  if (oldText === newText) return
  differences.push({ id, field: path, element, old: oldText, new: newText })
}

/** Text as it is, everything else as JSON. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : formatJson(value)
}

/** Null, nothing, and objects in which nothing is filled. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return isPlainObject(value) && Object.values(value).every(isNothing)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isLosslessNumber(value)
}

/** Null is an empty list beside one with elements; see the caller. */
function toList(value: unknown): readonly unknown[] | null {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? (value as readonly unknown[]) : null
}

function compareMembers(old: unknown, next: unknown, place: Place): void {
  const [oldMembers, newMembers] = [toMembers(old), toMembers(next)]
  const prefix = place.path === '' ? '' : `${place.path}.`
  for (const name of Object.keys({ ...oldMembers, ...newMembers }))
    compareValues(memberOf(oldMembers, name), memberOf(newMembers, name), { ...place, path: prefix + name })
}

/** Names such as `constructor` are fields as any other. */
function memberOf(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {}
}

/** `place` is that of an element. */
function compareLists(old: readonly unknown[], next: readonly unknown[], place: Place): void {
  const [oldIds, newIds] = [listIds(old), listIds(next)]
  if (oldIds !== null && newIds !== null) comparePairs(pairByKey(old, oldIds, next, newIds), place)
  else comparePairs(pairRest(old, next, place), place)
}

/** The ids of all elements; null where one has none, or two have the same. */
function listIds(list: readonly unknown[]): string[] | null {
  const ids = list.map((element) => (isPlainObject(element) ? toKey(element['id']) : null))
  const known = ids.filter((id) => id !== null)
  return new Set(known).size === list.length ? known : null
}

function toKey(id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : null
}

/** Two elements, or one that has no counterpart. */
interface Pair {
  readonly key: string
  readonly old: unknown
  readonly next: unknown
}

function pairByKey(
  old: readonly unknown[],
  oldIds: readonly string[],
  next: readonly unknown[],
  newIds: readonly string[],
): Pair[] {
  const newById = new Map(newIds.map((id, at) => [id, next[at]]))
  const known = new Set(oldIds)
  const added = newIds.flatMap((key, at) => (known.has(key) ? [] : [{ key, old: undefined, next: next[at] }]))
  return [...oldIds.map((key, at) => ({ key, old: old[at], next: newById.get(key) })), ...added]
}

/** Pairs what is left of two lists without the elements that are equal, in their order. */
function pairRest(old: readonly unknown[], next: readonly unknown[], place: Place): Pair[] {
  const texts = next.map((element) => toComparable(element, place.path, place.fields))
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const takes = (text: string): boolean => {
    const count = counts.get(text) ?? 0
    if (count > 0) counts.set(text, count - 1)
    return count > 0
  }
  const oldRest = listPositions(old, (element) => !takes(toComparable(element, place.path, place.fields)))
  // The last of equal elements are those that are left.
  const newRest = listPositions(texts.toReversed(), takes)
    .map((position) => next.length - 1 - position)
    .toReversed()
  return Array.from({ length: Math.max(oldRest.length, newRest.length) }, (_, at) => {
    const [oldAt, newAt] = [oldRest[at], newRest[at]]
    const key = String((oldAt ?? newAt ?? 0) + 1)
    return {
      key,
      old: oldAt === undefined ? undefined : old[oldAt],
      next: newAt === undefined ? undefined : next[newAt],
    }
  })
}

function listPositions<Item>(items: readonly Item[], isLeft: (item: Item) => boolean): number[] {
  return items.flatMap((item, at) => (isLeft(item) ? [at] : []))
}

/** Text that is the same for values that are equal as far as they are compared. */
function toComparable(value: unknown, path: string, fields: ComparedFields): string {
  if (isNothing(value) || !fields.reaches(path)) return ''
  if (Array.isArray(value)) {
    const elements = value.map((element) => toComparable(element, `${path}[]`, fields))
    return `[${elements.toSorted().join(',')}]`
  }
  if (!isPlainObject(value)) return fields.isCompared(path) ? formatJson(value) : ''
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const text = toComparable(value[name], `${path}.${name}`, fields)
      return text === '' ? [] : [`${JSON.stringify(name)}:${text}`]
    })
  return `{${members.join(',')}}`
}

function comparePairs(pairs: readonly Pair[], place: Place): void {
  for (const { key, old, next } of pairs) {
    const element = place.element === null ? key : `${place.element}/${key}`
    const here = { ...place, element }
    // An element that comes or goes is one difference, not one for each of its fields.
    const isAlone = old === undefined || next === undefined
    if (!isAlone) compareValues(old, next, here)
    else if (place.fields.reaches(place.path)) addDifference(old, next, here)
  }
}
