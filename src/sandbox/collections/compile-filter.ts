import type { Collection } from './collection.ts'
import type { JsonObject } from './columns.ts'

/** Whether the record of that number meets a filter. */
export type Predicate = (number: number) => boolean

/** The test that a checked filter stands for; all that an object holds has to hold (specification: Filter combinators). */
export async function compileFilter(filter: JsonObject, collection: Collection): Promise<Predicate> {
  // All parts ask for their columns before the first of these is filled, so that one pass fills them all.
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
    keep: (record, number) => filterKey.keep(record, number, variant),
  })
  const test = filterKey.toTest(parameter)
  return (number) => test(values[number])
}
