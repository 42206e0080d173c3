import { toId } from '../../records/reject.ts'
import { isObject } from '../../records/json/json-values.ts'
import type { Mention } from './trace-report.ts'

/** Finds a text in a record: the path of the first value equal to it, or null, and the record's id. */
export function findMention(text: string, record: unknown): Pick<Mention, 'path' | 'id'> {
  return { path: findPath(text, record, ''), id: toId(record) }
}

function findPath(text: string, value: unknown, path: string): string | null {
  if (Array.isArray(value)) return first(value.map((element) => () => findPath(text, element, `${path}[]`)))
  if (!isObject(value)) return String(value) === text && path !== '' ? path : null
  const members = Object.entries(value)
  return first(
    members.map(
      ([key, member]) =>
        () =>
          findPath(text, member, path === '' ? key : `${path}.${key}`),
    ),
  )
}

function first(searches: readonly (() => string | null)[]): string | null {
  for (const search of searches) {
    const found = search()
    if (found !== null) return found
  }
  return null
}
