import type { Endpoint } from '../endpoints/endpoint.ts'
import { addCondition, type RequestFilter } from '../endpoints/to-request-filter.ts'

/** Divides one result into several requests by the time of creation of its records. */
export interface Partition {
  readonly by: 'createdAt'
  readonly windows: number
  /** The span to divide, in unix seconds. Records from before and after it are requested too. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** How many windows are read at the same time; 4 by default. */
  readonly concurrency?: number | undefined
}

/** Why an endpoint can't be read in windows; null if it can. */
export function checkPartition({ name, read, filters, combinators }: Endpoint): string | null {
  if (read === 'stream' && combinators && Object.hasOwn(filters, 'createdAt')) return null
  return `expected partition only for a stream that can be filtered by createdAt, got ${name}`
}

/**
 * The filters of the windows, oldest first, then one for records without a time of creation. The first and the last
 * window are open. Neighbours overlap by a second because the specification does not say whether a range includes its
 * ends, so a record may come twice.
 */
export function toWindows(filter: RequestFilter, partition: Partition, now: number): RequestFilter[] {
  const { windows } = partition
  const span = findSpan(filter)
  const from = partition.from ?? span.from ?? earliest
  const until = Math.max(from, partition.until ?? span.until ?? Math.floor(now / 1000))
  const edge = (window: number): number => from + Math.round(((until - from) * window) / windows)
  const ranges = Array.from({ length: windows }, (_, window) => ({
    ...(window === 0 ? {} : { from: edge(window) - 1 }),
    ...(window === windows - 1 ? {} : { until: edge(window + 1) }),
  }))
  if (windows === 1) return [filter]
  return [...ranges.map((createdAt) => ({ createdAt })), { not: { createdAt: { from: 0 } } }].map((part) =>
    addCondition(filter, part),
  )
}

/** The first day of 2000, in unix seconds: no catalogue of this service is older. */
const earliest = 946_684_800

function findSpan(filter: RequestFilter): { readonly from?: number; readonly until?: number } {
  const parts = [filter, ...((filter['and'] ?? []) as RequestFilter[])]
  const range = parts.map(({ createdAt }) => createdAt).find((value) => typeof value === 'object' && value !== null)
  return range ?? {}
}
