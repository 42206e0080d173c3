import { expect } from 'vitest'
import type { ColumnProfile } from '../../../src/kernel/profile/run-profile.ts'

type Value = string | number | boolean
type Spread = Pick<ColumnProfile, 'mean' | 'quantiles'>

/** Mean and quantiles of all values of a column, sorted. Whole numbers are those of the least unit: cents, millionths, days. */
export function spreadOfValues(sorted: readonly Value[], type: string): Spread {
  if (sorted.length === 0 || !isMeasured(type)) return {}
  const at = (percent: number): string | number => {
    const upto = sorted.findIndex((_, index) => 100 * (index + 1) >= percent * sorted.length)
    return sorted[upto] as string | number
  }
  const quantiles = { p05: at(5), p25: at(25), p50: at(50), p75: at(75), p95: at(95) }
  const units = sorted.map((value) => toUnits(value, type))
  const isTime = /^(?:date|timestamp)/.test(type)
  if (isTime || units.some((each) => each >= 10n ** 18n || each <= -(10n ** 18n))) return { quantiles }
  return {
    mean: divide(
      units.reduce((sum, each) => sum + each, 0n),
      units.length,
      decimalsOf(type),
    ),
    quantiles,
  }
}

/** As a run shows it of a column with many values: cut to one of 160 steps for a number of digits, or at the beginning of the day. */
export function cutQuantiles(quantiles: NonNullable<Spread['quantiles']>, type: string, { min, max }: ColumnProfile) {
  const cut = ([name, value]: [string, string | number]) => [name, cutValue(value, type, min as Value, max as Value)]
  return Object.fromEntries(Object.entries(quantiles).map(cut)) as NonNullable<Spread['quantiles']>
}

/** Counts the values between the bounds that were found, which are to have equal, round steps but for the first and the last. */
export function expectHistogram({ histogram, ...column }: ColumnProfile, values: readonly Value[]): void {
  const { type } = column
  if (values.length === 0 || !isMeasured(type)) return expect({ column, histogram }).toEqual({ column })
  const { bounds, counts } = histogram ?? { bounds: [], counts: [] }
  const units = values.map((value) => toUnits(value, type))
  const ends = bounds.map((bound) => toUnits(bound, type))
  const counted = counts.map((_, at) => {
    const [from, until] = [ends[at] ?? 0n, ends[at + 1] ?? 0n]
    return units.filter((unit) => unit >= from && (unit < until || (at === counts.length - 1 && unit === until))).length
  })
  expect({ column, bounds, counts }).toEqual({ column, bounds, counts: counted })
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
  expect(counts.length).toBeLessThanOrEqual(24)
  expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => (a < b ? -1 : 1)))
  if (type.startsWith('date') || type.startsWith('timestamp')) return
  const steps = new Set(ends.slice(2, -1).map((end, at) => String(end - (ends[at + 1] ?? 0n))))
  expect(steps.size).toBeLessThanOrEqual(1)
  for (const step of steps) expect(step).toMatch(/^[125]0*$/)
}

export function isMeasured(type: string): boolean {
  return /^(?:integer|float|decimal|timestamp|date)/.test(type)
}

function decimalsOf(type: string): number {
  return type.startsWith('float') ? 6 : Number(/^decimal\(\d+,(\d+)\)/.exec(type)?.[1] ?? 0)
}

function toUnits(value: Value, type: string): bigint {
  if (type.startsWith('timestamp')) return BigInt(Date.parse(String(value)))
  if (type.startsWith('date')) return BigInt(Date.parse(String(value)) / 86_400_000)
  if (!type.startsWith('float')) return BigInt(String(value).replace('.', ''))
  const millionths = Math.floor(Math.abs(Number(value)) * 1e6 + 0.5)
  return BigInt(millionths) * (Number(value) < 0 ? -1n : 1n)
}

/** To four decimals more than the values have, halves away from zero. */
function divide(sum: bigint, count: number, decimals: number): number {
  const size = sum < 0n ? -sum : sum
  const [whole, rest] = [(size * 10_000n) / BigInt(count), (size * 10_000n) % BigInt(count)]
  const rounded = whole + (2n * rest >= BigInt(count) ? 1n : 0n)
  return Number(`${sum < 0n ? '-' : ''}${rounded}e-${decimals + 4}`)
}

function cutValue(value: Value, type: string, min: Value, max: Value): Value {
  const within = (cut: Value): Value => {
    const units = toUnits(cut, type)
    return units <= toUnits(min, type) ? min : units >= toUnits(max, type) ? max : cut
  }
  if (type.startsWith('timestamp') || type.startsWith('date')) {
    const day = String(value).slice(0, 10)
    if (day < '1970-01-01') return min
    if (day >= '2100-01-01') return max
    return within(type.startsWith('date') ? day : `${day}T00:00:00Z`)
  }
  const units = toUnits(value, type)
  const digits = String(units < 0n ? -units - 1n : units)
  if (digits.length > 18) return units < 0n ? min : max
  const head = Number(digits.slice(0, 3))
  const step = head < 100 ? 1n : BigInt(head < 200 ? 2 : head < 500 ? 5 : 10) * 10n ** BigInt(digits.length - 3)
  const cut = (units / step - (units < 0n && units % step !== 0n ? 1n : 0n)) * step
  if (type.startsWith('decimal')) {
    const scale = decimalsOf(type)
    const text = String(cut < 0n ? -cut : cut).padStart(scale + 1, '0')
    return within(`${cut < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`)
  }
  return within(type.startsWith('float') ? Number(cut) / 1e6 : Number(cut))
}
