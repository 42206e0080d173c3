import type { Endpoint } from './endpoint.ts'
import { endpoints, type EndpointName } from './endpoints.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestConfig } from './check-request.ts'
import { noteOpenNames } from './open-keys.ts'
import type { RequestProblem } from './request-issues.ts'

/**
 * Notes about a request without problems: keys that are sent unchecked because the specification does not show all that
 * the endpoint takes, and what it marks as deprecated.
 */
export function listRequestNotes(endpointName: EndpointName, { filter, sorting }: RequestConfig): RequestProblem[] {
  const endpoint: Endpoint = endpoints[endpointName]
  const { name, deprecated } = endpoint
  return [
    ...(deprecated === undefined ? [] : [{ path: ['endpoint'], message: `${name} is deprecated: ${deprecated}` }]),
    ...listDeprecated(endpoint, filter),
    ...noteOpenNames(endpoint, filter, sorting),
  ]
}

function listDeprecated(endpoint: Endpoint, filter: unknown): RequestProblem[] {
  return listFilterKeys(endpoint, filter).flatMap(({ key, path }) => {
    if (!Object.hasOwn(endpoint.filters, key)) return []
    const deprecated = endpoint.filters[key]?.deprecated
    if (deprecated === undefined) return []
    const instead = typeof deprecated === 'string' ? `: ${deprecated}` : ''
    return [{ path, message: `"${key}" is deprecated${instead}` }]
  })
}
