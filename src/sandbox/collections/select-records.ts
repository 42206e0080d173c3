import type { JsonObject } from '../data/record-writer.ts'
import type { Collection } from './collection.ts'

export interface Selection {
  readonly total: number
  /** The record number at a position from 0 to total − 1. */
  readonly at: (position: number) => number
}

/**
 * Filters and sorts records. Ties are in ascending order of id, in both directions. Selecting all records by id takes no memory.
 */
export async function selectRecords(
  collection: Collection,
  filter: JsonObject = {},
  sorting: JsonObject = {},
): Promise<Selection> {
  const { size, isThere = () => true } = collection
  const [name = 'id', order = 'ASC'] = Object.entries(sorting)[0] ?? []
  const descends = isDescending(order)
  const isNatural = collection.sortings[name] === 'naturalOrder' || Object.keys(collection.sortings).length === 0
  if (isNatural && Object.keys(filter).length === 0 && collection.isThere === undefined) {
    return { total: size, at: descends ? (position) => size - 1 - position : (position) => position }
  }
  const [matches, sort] = await Promise.all([
    compileFilter(filter, collection),
    createSort(name, order, descends, collection),
  ])
  const numbers: number[] = []
  for (let number = 0; number < size; number++) if (isThere(number) && matches(number)) numbers.push(number)
  sort(numbers)
  return { total: numbers.length, at: (position) => numbers[position]! }
}

async function createSort(name: string, order: unknown, descends: boolean, { sortings, columns }: Collection) {
  const key = sortings[name] ?? 'naturalOrder'
  if (key === 'naturalOrder')
    return (numbers: number[]) => numbers.sort((left, right) => (descends ? right - left : left - right))
  const variant = key.variant?.(order) ?? ''
  const values = await columns.load({
    name: `sorting ${name} ${variant}`,
    needsRecord: true,
    project: (record, number) => key.project(record, number, variant),
  })
  return (numbers: number[]) =>
    numbers.sort((left, right) => compare(values[left], values[right], descends) || left - right)
}

/** Orders records without the value last in both directions. */
function compare(left: unknown, right: unknown, descends: boolean): number {
  if (left === right) return 0
  if (left === null || right === null) return left === null ? 1 : -1
  const isBefore = (left as number | string) < (right as number | string)
  return isBefore === descends ? 1 : -1
}

function isDescending(order: unknown): boolean {
  return order === 'DESC' || (typeof order === 'object' && (order as { direction?: string }).direction === 'DESC')
}

type Predicate = (number: number) => boolean

/** Compiles a valid filter. Records have to meet all members of an object (specification: Filter combinators). */
async function compileFilter(filter: JsonObject, collection: Collection): Promise<Predicate> {
  // All parts request their columns before any is filled, so one pass fills them all.
  const parts = await Promise.all(Object.entries(filter).map(([key, value]) => compileKey(key, value, collection)))
  return (number) => parts.every((part) => part(number))
}

async function compileKey(key: string, parameter: unknown, collection: Collection): Promise<Predicate> {
  if (key === 'not') {
    const inner = await compileFilter(parameter as JsonObject, collection)
    return (number) => !inner(number)
  }
  if (key === 'and' || key === 'or') {
    const list = parameter as readonly JsonObject[]
    const parts = await Promise.all(list.map((part) => compileFilter(part, collection)))
    if (key === 'and') return (number) => parts.every((part) => part(number))
    return (number) => parts.some((part) => part(number))
  }
  return compileTest(key, parameter, collection)
}

async function compileTest(key: string, parameter: unknown, collection: Collection): Promise<Predicate> {
  const filterKey = collection.filters[key]
  if (filterKey === undefined) throw new TypeError(`A filter that was checked has the unknown key "${key}"`)
  const variant = filterKey.variant?.(parameter) ?? ''
  const values = await collection.columns.load({
    name: `filter ${key} ${variant}`,
    needsRecord: filterKey.needsRecord ?? true,
    project: (record, number) => filterKey.project(record, number, variant),
  })
  const test = filterKey.toTest(parameter)
  return (number) => test(values[number])
}
