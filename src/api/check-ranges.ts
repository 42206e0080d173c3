import type { Endpoint } from './endpoint.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import { moment, toUnixSeconds, type Moment } from './date-time.ts'
import type { RequestProblem } from './request-issues.ts'

/** Ranges of moments that end before they begin; relative moments count from `now`, as they do in the request. */
export function checkRanges(endpoint: Endpoint, filter: unknown, now: Date): RequestProblem[] {
  return listFilterKeys(endpoint, filter).flatMap(({ key, value, path }) => {
    if (!Object.hasOwn(endpoint.filters, key) || endpoint.filters[key]?.hasRange !== true) return []
    const { from, until } = (value ?? {}) as { readonly from?: unknown; readonly until?: unknown }
    if (!isMoment(from) || !isMoment(until) || toUnixSeconds(from, now) <= toUnixSeconds(until, now)) return []
    const message = `expected a moment that is not before "from", which is ${show(from, now)}, got ${show(until, now)}`
    return [{ path: [...path, 'until'], message }]
  })
}

function isMoment(value: unknown): value is Moment {
  return moment.safeParse(value).success
}

function show(value: Moment, now: Date): string {
  return new Date(toUnixSeconds(value, now) * 1000).toISOString().replace('.000', '')
}
