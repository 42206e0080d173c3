import type { RequestClock } from './date-time.ts'
import type { Endpoint } from './endpoint.ts'
import { type EndpointName, endpoints } from './endpoints.ts'

/** A filter as it is sent, with one key an object if filters can be combined. */
export type RequestFilter = Readonly<Record<string, unknown>>

type FilterConfig = Readonly<Record<string, unknown>>

/**
 * Converts a filter in which `checkRequest` found no problem to the form that is sent: several keys in one object
 * become an `and` list, date-times become unix seconds, codes get their zeros back. For endpoints without combinators
 * the keys stay together and become the query string. Keys outside the endpoint's table are not changed.
 */
export function toRequestFilter(endpointName: EndpointName, filter: FilterConfig, clock: RequestClock): RequestFilter {
  return toCombined(endpoints[endpointName], filter, clock)
}

function toCombined(endpoint: Endpoint, filter: FilterConfig, clock: RequestClock): RequestFilter {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): RequestFilter => ({ [key]: toRequestValue(endpoint, key, value, clock) }))
  if (parts.length > 1 && endpoint.combinators) return { and: parts }
  return Object.assign({}, ...parts) as RequestFilter
}

function toRequestValue(endpoint: Endpoint, key: string, value: unknown, clock: RequestClock): unknown {
  if (endpoint.combinators && key === 'not') return toCombined(endpoint, value as FilterConfig, clock)
  if (endpoint.combinators && (key === 'and' || key === 'or')) {
    return (value as readonly FilterConfig[]).map((part) => toCombined(endpoint, part, clock))
  }
  if (!Object.hasOwn(endpoint.filters, key)) return value
  return endpoint.filters[key]!.toRequest(value, clock)
}

export function addCondition(
  filter: RequestFilter,
  condition: RequestFilter,
  { combinators }: Pick<Endpoint, 'combinators'> = { combinators: true },
): RequestFilter {
  const keys = Object.keys(filter)
  if (keys.length === 0 || !combinators) return { ...filter, ...condition }
  const isList = keys.length === 1 && Array.isArray(filter['and'])
  return { and: [...(isList ? (filter['and'] as readonly RequestFilter[]) : [filter]), condition] }
}
