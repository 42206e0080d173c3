import type { Endpoint } from './endpoint.ts'

/** A key of a filter, with what it asks for. */
export interface FilterKeyUse {
  readonly key: string
  readonly value: unknown
  readonly path: (string | number)[]
  /** Under `or` or `not`, where parts of a list asked for one by one do not add up to the whole. */
  readonly isFixed: boolean
}

/** Every key of a filter but the combinators, known to the endpoint or not, at any depth; also of a filter with mistakes. */
export function listFilterKeys(
  endpoint: Endpoint,
  filter: unknown,
  path: (string | number)[] = ['filter'],
  isFixed = false,
): FilterKeyUse[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return []
  return Object.entries(filter).flatMap(([key, value]: [string, unknown]) => {
    const at = [...path, key]
    if (endpoint.combinators && key === 'not') return listFilterKeys(endpoint, value, at, true)
    if (endpoint.combinators && (key === 'and' || key === 'or')) {
      const parts: unknown[] = Array.isArray(value) ? value : []
      return parts.flatMap((part, index) => listFilterKeys(endpoint, part, [...at, index], isFixed || key === 'or'))
    }
    return [{ key, value, path: at, isFixed }]
  })
}
