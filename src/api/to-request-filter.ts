import type { Endpoint } from './endpoint.ts'
import { type EndpointName, endpoints } from './endpoints.ts'

/** A filter as it is sent: one key an object where filters can be combined. */
export type RequestFilter = Readonly<Record<string, unknown>>

type FilterConfig = Readonly<Record<string, unknown>>

/**
 * The form in a request of a filter in which `checkRequest` found no problem: several keys in one object become an
 * `and` list, moments become unix seconds (relative ones count from `now`), codes get their zeros back. For endpoints
 * without combinators the keys stay together, to become the query string. Keys that are not in the endpoint's table
 * stay as they are.
 */
export function toRequestFilter(
  endpointName: EndpointName,
  filter: FilterConfig,
  { now }: { readonly now: Date },
): RequestFilter {
  return toCombined(endpoints[endpointName], filter, now)
}

function toCombined(endpoint: Endpoint, filter: FilterConfig, now: Date): RequestFilter {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): RequestFilter => ({ [key]: toRequestValue(endpoint, key, value, now) }))
  if (parts.length > 1 && endpoint.combinators) return { and: parts }
  return Object.assign({}, ...parts) as RequestFilter
}

function toRequestValue(endpoint: Endpoint, key: string, value: unknown, now: Date): unknown {
  if (endpoint.combinators && key === 'not') return toCombined(endpoint, value as FilterConfig, now)
  if (endpoint.combinators && (key === 'and' || key === 'or')) {
    return (value as readonly FilterConfig[]).map((part) => toCombined(endpoint, part, now))
  }
  if (!Object.hasOwn(endpoint.filters, key)) return value
  return endpoint.filters[key]!.toRequest(value, now)
}

/**
 * A filter in the form of a request that asks, beside what it asks already, for one of these codes: one key an object
 * where filters can be combined. `key` is not yet among those that all records have to match.
 */
export function addIdentifiers(
  { combinators }: Pick<Endpoint, 'combinators'>,
  filter: RequestFilter | null,
  key: string,
  codes: readonly (string | number)[],
): RequestFilter {
  const earlier = filter ?? {}
  if (!combinators || Object.keys(earlier).length === 0) return { ...earlier, [key]: codes }
  const isList = Object.keys(earlier).length === 1 && Array.isArray(earlier['and'])
  const parts = isList ? (earlier['and'] as readonly RequestFilter[]) : [earlier]
  return { and: [...parts, { [key]: codes }] }
}
