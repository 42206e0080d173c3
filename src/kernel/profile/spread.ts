import type { Measure } from '../../types/column-type-definition.ts'
import { bucketsOfSign, countedDays, longestNumber, longNumbers, shortNumbers } from './state-layout.ts'

/** How the numbers or times of a column are spread. The buckets are those of state-layout.ts, by number from 0 on. */
export interface Spread {
  /** Numbers of more than 18 digits are no part of a sum that anybody can use. */
  readonly sum: bigint
  /** The bucket of the least value. */
  readonly first: number
  /** The counts of all buckets up to that of the greatest value. */
  readonly counts: Uint32Array
}

/** The least and the greatest value. */
export interface Ends {
  readonly least: bigint
  readonly greatest: bigint
}

/** Counts values one by one, as canonical texts. */
export class SpreadCounter {
  readonly #measure: Measure
  readonly #buckets = new Map<number, number>()
  #sum = 0n

  constructor(measure: Measure, values: ReadonlyMap<string, number>) {
    this.#measure = measure
    for (const [canonical, times] of values) this.add(canonical, times)
  }

  add(canonical: string, times: number): void {
    const measured = this.#measure.toMeasured(canonical)
    const bucket = toBucket(measured, this.#measure)
    this.#sum += clamp(measured, -tooLong, tooLong) * BigInt(times)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + times)
  }

  collect(): Spread {
    const first = [...this.#buckets.keys()].reduce((least, bucket) => Math.min(least, bucket), Infinity)
    const last = [...this.#buckets.keys()].reduce((greatest, bucket) => Math.max(greatest, bucket), first)
    const counts = new Uint32Array(this.#buckets.size === 0 ? 0 : last - first + 1)
    for (const [bucket, times] of this.#buckets) counts[bucket - first] = times
    return { sum: this.#sum, first, counts }
  }
}

export function joinSpreads(parts: readonly Spread[]): Spread {
  const filled = parts.filter(({ counts }) => counts.length > 0)
  const first = Math.min(...filled.map((part) => part.first))
  const joined = new Uint32Array(Math.max(...filled.map((part) => part.first + part.counts.length)) - first)
  for (const part of filled) {
    const shift = part.first - first
    for (let at = 0; at < part.counts.length; at++) (joined[shift + at] as number) += part.counts[at] as number
  }
  return { sum: filled.reduce((sum, part) => sum + part.sum, 0n), first, counts: joined }
}

/** The least of all numbers with too many digits for a bucket of their own, and for a sum. */
export const tooLong = 10n ** BigInt(longestNumber)

export function toBucket(measured: bigint, measure: Measure): number {
  if (measure.of === 'times') return Number(clamp(floorTo(measured, measure.unitsADay), -1n, BigInt(countedDays))) + 1
  return measured < 0n ? bucketsOfSign - 1 - cutDigits(~measured) : bucketsOfSign + cutDigits(measured)
}

/** The bucket of a number from 0 on among those of its sign. */
function cutDigits(number: bigint): number {
  const digits = String(number < tooLong ? number : tooLong)
  return digits.length < 3
    ? Number(digits)
    : shortNumbers + longNumbers * (digits.length - 3) + toStep(Number(digits.slice(0, 3)))
}

function toStep(head: number): number {
  const { from, first, by } = headParts.findLast((part) => head >= part.from) ?? headParts[0]
  return first + Math.floor((head - from) / by)
}

/** The value that a bucket stands for: its least one, or an end for what is beyond all other buckets. */
export function showBucket(bucket: number, measure: Measure, { least, greatest }: Ends): bigint {
  const begin = beginOf(bucket, measure)
  if (begin === null) return bucket === 0 ? least : greatest
  return begin < least ? least : begin
}

/** The least value of a bucket; null for the first and the last, which have all that is beyond the others. */
function beginOf(bucket: number, measure: Measure): bigint | null {
  if (measure.of === 'times')
    return bucket === 0 || bucket > countedDays ? null : BigInt(bucket - 1) * measure.unitsADay
  const isNegative = bucket < bucketsOfSign
  const number = isNegative ? bucketsOfSign - 1 - bucket : bucket - bucketsOfSign
  if (number === bucketsOfSign - 1) return null
  return isNegative ? -toNumber(number + 1) : toNumber(number)
}

function toNumber(bucket: number): bigint {
  if (bucket < shortNumbers) return BigInt(bucket)
  const step = (bucket - shortNumbers) % longNumbers
  const { from, first, by } = headParts.findLast((part) => step >= part.first) ?? headParts[0]
  const cut = Math.floor((bucket - shortNumbers) / longNumbers)
  return BigInt(from + (step - first) * by) * 10n ** BigInt(cut)
}

/** The steps of three digits, by the first of them. */
const headParts = [
  { from: 100, first: 0, by: 2 },
  { from: 200, first: 50, by: 5 },
  { from: 500, first: 110, by: 10 },
] as const

/** Divides down to the next whole number. */
export function floorTo(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return quotient * divisor > dividend ? quotient - 1n : quotient
}

function clamp(value: bigint, least: bigint, greatest: bigint): bigint {
  return value < least ? least : value > greatest ? greatest : value
}
