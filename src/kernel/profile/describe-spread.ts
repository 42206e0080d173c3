import type { Measure } from '../../types/column-type-definition.ts'
import { type ColumnType, typeOf } from '../../types/column-types.ts'
import type { ColumnCounts } from './column-counts.ts'
import { listBounds } from './histogram-bounds.ts'
import type { ColumnProfile } from './run-profile.ts'
import { type Ends, showBucket, type Spread, toBucket, tooLong } from './spread.ts'

export type SpreadProfile = Pick<ColumnProfile, 'mean' | 'quantiles' | 'histogram'>

/** What the mean, the quantiles and the bounds of a histogram are made from. Values are canonical texts. */
export interface SpreadFacts {
  readonly min: string
  readonly max: string
  readonly count: number
  readonly sum: bigint
  readonly quantiles: readonly string[]
  /** True if nothing is cut. */
  readonly isExact: boolean
}

/** In the order of `SpreadFacts.quantiles`. */
export const percents = [5, 25, 50, 75, 95]

/** The number of the value, from 1 on in ascending order, that `percent` of the values don't exceed. */
export function rankOf(count: number, percent: number): number {
  return Math.max(1, Math.ceil((count * percent) / 100))
}

/** Mean, quantiles and histogram of numbers or times; nothing for other columns, and without a value. */
export function describeSpread(type: ColumnType, { min, max, values, spread }: ColumnCounts): SpreadProfile {
  const { measure } = typeOf(type)
  if (measure === null || min === null || max === null) return {}
  const ordered =
    values !== null ? orderValues(type, measure, values) : spread && orderBuckets(measure, { min, max }, spread)
  if (ordered === null) return {}
  const { count, sum } = ordered
  const quantiles = percents.map((percent) => ordered.find(rankOf(count, percent)))
  const facts = { min, max, count, sum, quantiles, isExact: values !== null }
  const bounds = listHistogramBounds(measure, facts)
  return toSpreadProfile(type, measure, facts, bounds, ordered.countBetween(bounds))
}

/** All values in ascending order. */
interface Ordered {
  readonly count: number
  readonly sum: bigint
  /** The value with a number, from 1 on. */
  readonly find: (rank: number) => string
  /** The counts between bounds, beyond which there is no value. */
  readonly countBetween: (bounds: readonly bigint[]) => number[]
}

function orderValues(type: ColumnType, measure: Measure, values: ReadonlyMap<string, number>): Ordered {
  const { compare } = typeOf(type)
  const sorted = [...values].toSorted(([one], [other]) => compare(one, other))
  const places = sorted.map(([canonical]) => measure.toMeasured(canonical))
  const times = sorted.map(([, count]) => count)
  return {
    count: addUp(times),
    sum: places.reduce((sum, place, at) => sum + place * BigInt(times[at] ?? 0), 0n),
    find: (rank) => sorted[findRank(times, rank)]?.[0] ?? '',
    countBetween: (bounds) =>
      divideCounts(
        times,
        bounds.slice(1, -1).map((bound) => countBelow(places, bound)),
      ),
  }
}

function countBelow(places: readonly bigint[], bound: bigint): number {
  const at = places.findIndex((place) => place >= bound)
  return at < 0 ? places.length : at
}

function orderBuckets(
  measure: Measure,
  { min, max }: { readonly min: string; readonly max: string },
  { sum, first, counts }: Spread,
): Ordered {
  const ends = { least: measure.toMeasured(min), greatest: measure.toMeasured(max) }
  const show = (bucket: number): string => {
    const place = showBucket(bucket, measure, ends)
    return place === ends.least ? min : place === ends.greatest ? max : measure.toCanonical(place)
  }
  return {
    count: addUp(counts),
    sum,
    find: (rank) => show(first + findRank(counts, rank)),
    // What is in the first bucket of all counts as the least value, whatever bounds there are.
    countBetween: (bounds) =>
      divideCounts(
        counts,
        bounds.slice(1, -1).map((bound) => Math.max(toBucket(bound, measure), 1) - first),
      ),
  }
}

function addUp(counts: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < counts.length; at++) sum += counts[at] as number
  return sum
}

function findRank(counts: ArrayLike<number>, rank: number): number {
  let at = 0
  for (let counted = counts[0] as number; counted < rank; counted += counts[at] as number) at++
  return at
}

/** The sums of counts up to each end, and of those behind the last. */
function divideCounts(counts: ArrayLike<number>, ends: readonly number[]): number[] {
  const sums = [...ends, counts.length].map(() => 0)
  let part = 0
  for (let at = 0; at < counts.length; at++) {
    while (part < ends.length && at >= (ends[part] as number)) part++
    ;(sums[part] as number) += counts[at] as number
  }
  return sums
}

/** Bounds are the same for exact facts and for those of buckets. */
export function listHistogramBounds(
  measure: Measure,
  { min, max, quantiles, isExact }: Pick<SpreadFacts, 'min' | 'max' | 'quantiles' | 'isExact'>,
): bigint[] {
  const ends = { least: measure.toMeasured(min), greatest: measure.toMeasured(max) }
  const [low = 0n, high = 0n] = [quantiles[0] ?? '', quantiles.at(-1) ?? ''].map((canonical) => {
    const measured = measure.toMeasured(canonical)
    return isExact ? measured : showBucket(toBucket(measured, measure), measure, ends)
  })
  const bounds = listBounds(measure, { ...ends, low, high }, isExact)
  return measure.of === 'numbers' && measure.most !== undefined ? endAtMost(bounds, ends, measure.most) : bounds
}

/** A value beyond `most` is measured as less than it is, so that round bounds would be on its wrong side: it is one itself. */
function endAtMost(bounds: readonly bigint[], { least, greatest }: Ends, most: bigint): bigint[] {
  const [isBelow, isAbove] = [least === -most, greatest === most]
  const inner = bounds.filter((bound) => (!isBelow || bound > least) && (!isAbove || bound < greatest))
  const ended = [...(isBelow ? [least] : []), ...inner, ...(isAbove ? [greatest] : [])]
  return ended.length > 1 ? ended : [least, greatest]
}

export function toSpreadProfile(
  type: ColumnType,
  measure: Measure,
  { min, max, count, sum, quantiles }: SpreadFacts,
  bounds: readonly bigint[],
  counts: readonly number[],
): SpreadProfile {
  const { showCanonical } = typeOf(type)
  const show = (canonical: string | undefined) => showCanonical(canonical ?? '') as string | number
  const [p05, p25, p50, p75, p95] = quantiles
  const [least, greatest] = [measure.toMeasured(min), measure.toMeasured(max)]
  const isSummed = measure.of === 'numbers' && least > -tooLong && greatest < tooLong
  return {
    ...(isSummed && { mean: divide(sum, count, measure.decimals) }),
    quantiles: { p05: show(p05), p25: show(p25), p50: show(p50), p75: show(p75), p95: show(p95) },
    histogram: {
      // Two values that are measured as one are the first bound and the last.
      bounds: bounds.map((bound, at) =>
        show(bound === least && at === 0 ? min : bound === greatest ? max : measure.toCanonical(bound)),
      ),
      counts: [...counts],
    },
  }
}

/** The mean to four decimals more than the sum has, halves rounded away from zero. */
function divide(sum: bigint, count: number, decimals: number): number {
  const [dividend, divisor] = [2n * (sum < 0n ? -sum : sum) * 10_000n, 2n * BigInt(count)]
  const rounded = (dividend + BigInt(count)) / divisor
  return Number(`${sum < 0n ? '-' : ''}${rounded}e-${decimals + 4}`)
}
