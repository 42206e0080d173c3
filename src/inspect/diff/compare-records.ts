import { isLosslessNumber } from 'lossless-json'
import type { Contract } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { emptyDrift } from '../../records/drift.ts'
import { formatJson } from '../../types/json-text.ts'
import { isObject } from '../../records/json/json-values.ts'
import { parseText } from '../../records/parse-line.ts'
import { validateExactly } from '../../records/validate/validate-exactly.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'
import type { ComparedFields } from './choose-fields.ts'
import type { Difference } from './diff-report.ts'

export interface RecordComparison {
  /** Differences between the records of two parsable lines, in field order. */
  compare(old: Buffer, next: Buffer): Difference[]
  /** The id of a line's record, and the record as JSON in its compared form. */
  show(line: Buffer): { readonly id: string; readonly text: string }
  /** The record of a line, as it is compared. */
  read(line: Buffer): unknown
}

const tolerant = { unknownFields: 'ignore', unknownValues: 'report', invalidValues: 'reject' } as const

/**
 * Compares records as their contract reads them: numbers sent as text, leading zeros of codes and empty lists in place
 * of objects make no difference. If one of two records breaks the contract, both are compared as delivered. Null, a
 * missing field and an object without values are equal. List elements with ids are compared by id. In other lists equal
 * elements are paired first and the rest in order, so a different order alone is no difference.
 */
export function compileComparison(contract: Contract, fields: ComparedFields): RecordComparison {
  const validate = validateExactly(contract, compileValidation(contract, tolerant, []), tolerant)

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
    read: (line) => read(line) ?? readDelivered(line),
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

/** Path of the whole record, as in configs. */
export const wholeRecord = '$'

/** Values may be nested too deeply for the stack. */
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

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : formatJson(value)
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return isPlainObject(value) && Object.values(value).every(isNothing)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isLosslessNumber(value)
}

/** Treats null as an empty list; the caller makes sure that the other side has elements. */
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

/** Reads own members only, as a field may be called `constructor`. */
function memberOf(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {}
}

function compareLists(old: readonly unknown[], next: readonly unknown[], place: Place): void {
  const [oldIds, newIds] = [listIds(old), listIds(next)]
  if (oldIds !== null && newIds !== null) comparePairs(pairByKey(old, oldIds, next, newIds), place)
  else comparePairs(pairRest(old, next, place), place)
}

function listIds(list: readonly unknown[]): string[] | null {
  const ids = list.map((element) => (isPlainObject(element) ? toKey(element['id']) : null))
  const known = ids.filter((id) => id !== null)
  return new Set(known).size === list.length ? known : null
}

function toKey(id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : null
}

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

/** Leaves out elements that are equal in both lists, and pairs the others in order. */
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
  // Of equal elements, the last are left over.
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

/** Text that is equal for values whose compared parts are equal. */
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
    // An added or removed element is one difference, not one per field.
    const isAlone = old === undefined || next === undefined
    if (!isAlone) compareValues(old, next, here)
    else if (place.fields.reaches(place.path)) addDifference(old, next, here)
  }
}
