import { closest } from '../messages/choices.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints, type EndpointName } from './endpoints.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestConfig } from './check-request.ts'
import type { RequestProblem } from './request-issues.ts'
import { isObject } from '../records/json/json-values.ts'

/**
 * Notes about a request without a problem: keys that are sent unchecked, because the specification does not show what
 * the endpoint takes (with a known key that one resembles), and what it marks as deprecated.
 */
export function listRequestNotes(endpointName: EndpointName, { filter, sorting }: RequestConfig): RequestProblem[] {
  const endpoint: Endpoint = endpoints[endpointName]
  const { name, deprecated } = endpoint
  return [
    ...(deprecated === undefined ? [] : [{ path: ['endpoint'], message: `${name} is deprecated: ${deprecated}` }]),
    ...listInFilter(endpoint, filter),
    ...listInSorting(endpoint, sorting),
  ]
}

function listInFilter(endpoint: Endpoint, filter: unknown): RequestProblem[] {
  return listFilterKeys(endpoint, filter).flatMap(({ key, path }) => {
    if (!Object.hasOwn(endpoint.filters, key)) return listUnchecked(endpoint, path, key, endpoint.filters)
    const deprecated = endpoint.filters[key]?.deprecated
    if (deprecated === undefined) return []
    const instead = typeof deprecated === 'string' ? `: ${deprecated}` : ''
    return [{ path, message: `"${key}" is deprecated${instead}` }]
  })
}

function listInSorting(endpoint: Endpoint, sorting: unknown): RequestProblem[] {
  const keys = isObject(sorting) ? Object.keys(sorting) : []
  return keys.flatMap((key) =>
    Object.hasOwn(endpoint.sortings, key) ? [] : listUnchecked(endpoint, ['sorting', key], key, endpoint.sortings),
  )
}

/** An endpoint whose keys are shown has none: a key beyond them is a problem there. */
function listUnchecked(endpoint: Endpoint, path: (string | number)[], key: string, known: object): RequestProblem[] {
  if (!endpoint.openKeys) return []
  const message = `"${key}" is sent unchecked, as the specification does not show what ${endpoint.name} takes`
  const suggestion = closest(key, Object.keys(known))
  return [{ path, message, ...(suggestion === undefined ? {} : { suggestion }) }]
}
