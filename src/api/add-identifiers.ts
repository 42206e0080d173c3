import type { Endpoint } from './endpoint.ts'
import type { RequestFilter } from './to-request-filter.ts'

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
