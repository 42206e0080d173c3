import type { Endpoint } from './endpoint.ts'

export interface FilterKeyUse {
  readonly key: string
  readonly value: unknown
  readonly path: (string | number)[]
  /** True under `or` or `not`: a list there can't be split over several requests. */
  readonly isFixed: boolean
}

/**
 * Every key of a filter except the combinators, at any depth, known to the endpoint or not. The filter may have
 * mistakes.
 */
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
