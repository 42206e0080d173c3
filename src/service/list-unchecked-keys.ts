import { closest } from '../did-you-mean.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints, type EndpointName } from './endpoints.ts'
import type { RequestConfig } from './request-config.ts'
import type { RequestProblem } from './request-issues.ts'

/**
 * The filter and sorting keys that are sent unchecked, because the specification does not show what the endpoint
 * takes. They are no problems but worth telling; a suggestion says which known key one resembles.
 */
export function listUncheckedKeys(endpointName: EndpointName, { filter, sorting }: RequestConfig): RequestProblem[] {
  const endpoint: Endpoint = endpoints[endpointName]
  if (!endpoint.openKeys) return []
  return [...listInFilter(endpoint, filter, ['filter']), ...listInSorting(endpoint, sorting)]
}

function listInFilter(endpoint: Endpoint, filter: unknown, path: (string | number)[]): RequestProblem[] {
  return entriesOf(filter).flatMap(([key, value]) => {
    const at = [...path, key]
    if (endpoint.combinators && key === 'not') return listInFilter(endpoint, value, at)
    if (endpoint.combinators && (key === 'and' || key === 'or')) {
      const parts: unknown[] = Array.isArray(value) ? value : []
      return parts.flatMap((part, index) => listInFilter(endpoint, part, [...at, index]))
    }
    return Object.hasOwn(endpoint.filters, key) ? [] : [toUnchecked(at, key, endpoint.filters)]
  })
}

function listInSorting({ sortings }: Endpoint, sorting: unknown): RequestProblem[] {
  return entriesOf(sorting).flatMap(([key]) =>
    Object.hasOwn(sortings, key) ? [] : [toUnchecked(['sorting', key], key, sortings)],
  )
}

function toUnchecked(path: (string | number)[], key: string, known: object): RequestProblem {
  const message = `unchecked: the specification does not show what this endpoint takes, got "${key}"`
  const suggestion = closest(key, Object.keys(known))
  return { path, message, ...(suggestion === undefined ? {} : { suggestion }) }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
