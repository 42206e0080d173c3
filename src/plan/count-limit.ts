import { formatCount } from '../text/format-count.ts'
export type CountLimit =
  | { readonly kind: 'count'; readonly count: number }
  /** `orOne` allows one even if the share rounds down to none. */
  | { readonly kind: 'share'; readonly percent: number; readonly orOne?: true }

/*
 * "A count or a share", the same for rejects and for removals. A share is compared exactly, as the decimal fraction that
 * was written: 0.7% of 11,000 is 77, where floating point has 76.99999999999999.
 */

/** Parses a valid limit of the config: a count such as 10 or `10 rows`, or a share such as 1% or 0.01. */
export function toCountLimit(limit: number | string): CountLimit {
  const number = Number.parseFloat(String(limit))
  if (typeof limit === 'string' && limit.endsWith('%')) return { kind: 'share', percent: number }
  // 0.07 times 100 is 7.000000000000001.
  if (!Number.isInteger(number)) return { kind: 'share', percent: Number((number * 100).toPrecision(15)) }
  return { kind: 'count', count: number }
}

/** The most that a limit allows of `whole`; a share is rounded down. */
export function countAllowed(limit: CountLimit, whole: number): number {
  if (limit.kind === 'count') return limit.count
  const { digits, scale } = toDecimal(limit.percent)
  const share = Number((digits * BigInt(whole)) / (100n * scale))
  return limit.orOne === true ? Math.max(1, share) : share
}

/** Relaxes a limit for the few lines of a delta: a share allows at least one, unless it is 0%. */
export function orOne(limit: CountLimit): CountLimit {
  return limit.kind === 'share' && limit.percent > 0 ? { ...limit, orOne: true } : limit
}

/** The least that a limit requires of `whole`; a share is rounded up. */
export function countNeeded(limit: CountLimit, whole: number): number {
  if (limit.kind === 'count') return limit.count
  const { digits, scale } = toDecimal(limit.percent)
  return Number((digits * BigInt(whole) + 100n * scale - 1n) / (100n * scale))
}

/**
 * The message about an exceeded limit, such as `expected at most 77 (0.7%) of 11,000 lines to be rejected, got 78`;
 * null if the limit holds. `what` is `lines to be rejected`.
 */
export function describeExcess(limit: CountLimit, found: number, whole: number, what: string): string | null {
  const allowed = countAllowed(limit, whole)
  if (found <= allowed) return null
  const least = limit.kind === 'share' && limit.orOne === true && allowed === 1 ? ', and always one in a delta' : ''
  const share = limit.kind === 'count' ? '' : ` (${limit.percent}%${least})`
  return `expected at most ${formatCount(allowed)}${share} of ${formatCount(whole)} ${what}, got ${formatCount(found)}`
}

/** The number as the exact decimal fraction `digits / scale`. String() shows tiny numbers with an exponent. */
function toDecimal(value: number): { readonly digits: bigint; readonly scale: bigint } {
  const [fraction = '', exponent = '0'] = String(value).split('e-')
  const [whole = '', decimals = ''] = fraction.split('.')
  return { digits: BigInt(whole + decimals), scale: 10n ** BigInt(decimals.length + Number(exponent)) }
}
