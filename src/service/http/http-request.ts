import type { ServiceRequest } from './http-call.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { RequestFilter } from '../endpoints/to-request-filter.ts'

/** A request to an endpoint, in the form in which it is sent; `null` is nothing. */
export interface SourceRequest {
  readonly filter: RequestFilter | null
  readonly sorting: Readonly<Record<string, unknown>> | null
  /** `no` is the first page to read, 0 where it is left out. */
  readonly page: { readonly no?: number | undefined; readonly size?: number | undefined } | null
}

export interface Page {
  readonly no: number
  readonly size: number
}

/**
 * The HTTP request. Optional members that equal the default are left out; a GET has its filter in the query
 * string, a list as several parameters of the same name.
 */
export function toHttpRequest(
  endpoint: Endpoint,
  { filter, sorting }: Pick<SourceRequest, 'filter' | 'sorting'>,
  page?: Page,
): ServiceRequest {
  const { method, path } = endpoint
  if (method === 'GET') return { method, path: path + formatQuery(filter ?? {}) }
  const sendsFilter = endpoint.filter === 'required' || (filter !== null && Object.keys(filter).length > 0)
  const sendsSorting = endpoint.sorting === 'required' || !isDefaultSorting(endpoint, sorting)
  const body = {
    ...(sendsFilter ? { filter: filter ?? {} } : {}),
    ...(sendsSorting ? { sorting } : {}),
    ...(page === undefined ? {} : { page }),
  }
  return { method, path, body }
}

/** The service's own order, which need not be asked for and, where it is no sorting that it lists, can't be. */
function isDefaultSorting({ defaultSorting }: Endpoint, sorting: SourceRequest['sorting']): boolean {
  return sorting === null || JSON.stringify(sorting) === JSON.stringify(defaultSorting)
}

function formatQuery(filter: RequestFilter): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(filter)) {
    for (const item of [value].flat()) query.append(key, formatParameter(item))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

function formatParameter(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
