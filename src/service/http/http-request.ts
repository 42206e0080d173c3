import type { ServiceRequest } from './http-call.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { RequestFilter } from '../endpoints/to-request-filter.ts'

/** A request to an endpoint as it is sent; null for a member that is not given. */
export interface SourceRequest {
  readonly filter: RequestFilter | null
  /** Filters that are requested instead, one after the other. */
  readonly alternatives?: readonly RequestFilter[]
  readonly sorting: Readonly<Record<string, unknown>> | null
  /** `no` is the first page to read, 0 by default. */
  readonly page: { readonly no?: number | undefined; readonly size?: number | undefined } | null
}

export interface Page {
  readonly no: number
  readonly size: number
}

/**
 * The HTTP request. Optional members that equal the default are left out. A GET has its filter in the query string,
 * with a list as several parameters of the same name.
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

/**
 * True for the endpoint's own order. It need not be sent, and can't be if it is none of the sortings that the endpoint
 * accepts.
 */
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
