import type { Measure } from '../../types/column-type-definition.ts'
import { millisecondsADay } from '../../types/iso-time.ts'
import { type Ends, floorTo } from './spread.ts'

/** The least and the greatest value, and the ends of the middle 90 %. */
export interface Extent extends Ends {
  readonly low: bigint
  readonly high: bigint
}

/**
 * Bounds in the smallest steps of which few cover all values, or all that are not far from the middle 90 %. What is further
 * away is in a first part, which begins at the least value, or a last one, which ends at the greatest. Unless values are
 * exact, bounds are those of buckets.
 */
export function listBounds(measure: Measure, { least, greatest, low, high }: Extent, isExact: boolean): bigint[] {
  const far = high - low
  const from = least < low - far ? low : least
  const until = greatest > high + far ? high : greatest
  for (const { floor, next } of measure.of === 'times'
    ? listTimeSteps(measure.unitsADay)
    : listNumberSteps(from, until, isExact)) {
    const bounds = [floor(from)]
    let last = bounds[0] as bigint
    while (last <= until && bounds.length <= mostSteps) bounds.push((last = next(last)))
    if (last <= until) continue
    if (least < (bounds[0] as bigint)) bounds.unshift(least)
    if (greatest >= last) bounds.push(greatest > last ? greatest : next(last))
    return bounds
  }
  return [least, greatest]
}

/** Two less than a histogram may have. */
const mostSteps = 22

interface Steps {
  /** The last bound that is not above a value. */
  readonly floor: (value: bigint) => bigint
  readonly next: (bound: bigint) => bigint
}

/** Steps of 1, 2 and 5 times a power of ten, from multiples of all buckets on. */
function* listNumberSteps(from: bigint, until: bigint, isExact: boolean): Generator<Steps> {
  const digits = Math.max(...[from, until].map((end) => String(end).replace('-', '').length))
  for (let power = isExact ? 1n : 10n ** BigInt(Math.max(0, digits - 2)); ; power *= 10n)
    for (const factor of [1n, 2n, 5n]) yield toSteps(factor * power)
}

function toSteps(step: bigint): Steps {
  return { floor: (value) => floorTo(value, step) * step, next: (bound) => bound + step }
}

function* listTimeSteps(unitsADay: bigint): Generator<Steps> {
  yield toSteps(unitsADay)
  const toMonth = (value: bigint): number => {
    const date = new Date(Number(floorTo(value, unitsADay)) * millisecondsADay)
    return date.getUTCFullYear() * 12 + date.getUTCMonth()
  }
  const toBound = (month: number): bigint => {
    const day = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / millisecondsADay
    return BigInt(day) * unitsADay
  }
  for (const months of monthSteps) {
    yield {
      floor: (value) => toBound(Math.floor(toMonth(value) / months) * months),
      next: (bound) => toBound(toMonth(bound) + months),
    }
  }
}

const years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
const monthSteps = [1, 3, ...years.map((count) => 12 * count)]
