import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinCounts, type ColumnCounts } from '../../../src/kernel/profile/column-counts.ts'
import { describeSpread } from '../../../src/kernel/profile/describe-spread.ts'
import type { ColumnProfile } from '../../../src/kernel/profile/run-profile.ts'
import { toByteString, ValueCounter } from '../../../src/kernel/profile/value-counter.ts'
import { toPlainCounts, toRowCounts } from '../../../src/shards/run/plain-counts.ts'
import { type ColumnType, formatColumnType, typeOf } from '../../../src/types/column-types.ts'
import { cases } from '../../depth.ts'
import { cutQuantiles, expectHistogram, spreadOfValues } from '../../inspect/profile/spread-of-values.ts'
import { planRecords } from '../../records/plan-records.ts'
import { compareScan } from '../scan/compare-scan.ts'

/** Numbers of every length, mostly about the same. */
const numbers = (digits: number) =>
  fc.tuple(fc.integer({ min: 0, max: digits }), fc.double({ min: -10, max: 10, noNaN: true }), fc.boolean())
const whole = numbers(17).map(([digits, factor]) => Math.trunc(factor * 10 ** Math.min(digits, 14)))
const times = fc.integer({ min: 0, max: 4_102_444_799 })
const anyTimes = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
const toDays = (seconds: number) => Math.floor(seconds / 86_400)
/** Types with usual values, and with those of which there are few. */
const types: readonly (readonly [ColumnType, fc.Arbitrary<number>, fc.Arbitrary<number>])[] = [
  [{ kind: 'integer' }, whole, whole],
  [{ kind: 'decimal', precision: 38, scale: 2 }, whole, whole],
  [
    { kind: 'float' },
    numbers(12).map(([digits, factor]) => factor * 10 ** (digits - 6)),
    numbers(30).map(([digits, factor]) => factor * 10 ** (digits - 9)),
  ],
  [{ kind: 'timestamp' }, times.map((time) => time * 1000), anyTimes.map((time) => time * 1000)],
  [{ kind: 'date' }, times.map(toDays), anyTimes.map(toDays)],
]

function count(type: ColumnType, values: readonly number[]): ColumnCounts {
  const counter = new ValueCounter(type)
  for (const value of values) counter.add(toByteString(value === 0 ? 0 : value))
  return counter.collect()
}

describe.each(types)('the spread of %o', (type, value, rare) => {
  const name = formatColumnType({ type, list: false })

  /** Fewer than 5 % are beyond what has buckets. */
  const listOf = (minLength: number, maxLength: number) =>
    fc
      .tuple(fc.array(value, { minLength, maxLength }), rare)
      .map(([all, one]) => all.map((each, at) => (at % 40 === 7 ? one : each)))

  test(`the spread of ${name} is that of its sorted values, cut if there are many, for any parts of them`, () => {
    const column = fc.oneof(
      listOf(1, 90),
      listOf(150, 400),
      fc.tuple(listOf(150, 300), value).map(([all, one]) => all.map((each, at) => (at % 3 === 0 ? one : each))),
    )
    fc.assert(
      fc.property(column, fc.integer({ min: 1, max: 5 }), (values, parts) => {
        const all = count(type, values)
        const shared = Array.from({ length: parts }, (_, part) =>
          count(
            type,
            values.filter((_value, at) => (at * 7) % parts === part),
          ),
        )
        const joined = joinCounts({ type }, shared)
        const found = describeSpread(type, all)
        expect(describeSpread(type, joined)).toEqual(found)
        const [[sent = all] = []] = toRowCounts(
          JSON.parse(
            JSON.stringify(
              toPlainCounts(
                [{ columns: [{ name: 'x', type, list: false }] as never }],
                shared.map((each) => [[each]]),
              ),
            ),
          ),
        )
        expect(describeSpread(type, sent)).toEqual(found)
        const { showCanonical } = typeOf(type)
        const sorted = values.toSorted((a, b) => a - b).map((each) => showCanonical(String(each === 0 ? 0 : each)))
        const { quantiles, mean } = spreadOfValues(sorted, name)
        const profile = {
          name: 'x',
          type: name,
          filled: 0,
          min: sorted[0],
          max: sorted.at(-1),
          ...found,
        } satisfies ColumnProfile
        expectHistogram(profile, sorted)
        const isCut = new Set(values).size > 100
        expect(Math.abs((found.mean ?? 0) - (mean ?? 0))).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(mean ?? 0)))
        expect(found).toEqual({
          ...(mean !== undefined && { mean: found.mean }),
          quantiles: isCut && quantiles ? cutQuantiles(quantiles, name, profile) : quantiles,
          histogram: found.histogram,
        })
      }),
      { numRuns: cases(300, 20), endOnFailure: true },
    )
  })
})

test('the kernel measures columns with many numbers and times of every size as the reference path does', () => {
  const plan = planRecords({
    contract: { extra: { whole: 'integer', real: 'float' } },
    tables: {
      products: {
        columns: [
          'id',
          'publicPrice',
          { column: 'price', from: 'publicPrice', as: 'decimal(30,3)', unit: 'cents' },
          'whole',
          'real',
          'meta.updatedAt',
          { column: 'updated_on', from: 'meta.updatedAt', as: 'date', timezone: 'Europe/Brussels' },
          { column: 'brand_ids', from: 'brands[].id' },
        ],
      },
    },
  })
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(whole, whole, numbers(24), times, fc.array(fc.integer({ min: -5, max: 2000 }), { maxLength: 3 })),
        { minLength: 130, maxLength: 260 },
      ),
      (rows) => {
        const lines = rows.map(([price, number, [digits, factor], time, ids], at) =>
          JSON.stringify({
            id: `P${at}`,
            publicPrice: price,
            whole: number,
            real: factor * 10 ** (digits - 9),
            meta: { updatedAt: time },
            brands: ids.map((id) => ({ id })),
          }),
        )
        const garbage = '{"id":"A","publicPrice":9223372036854775807}\n{"id":"B","publicPrice":-9223372036854775808}'
        const compare = compareScan(plan)
        for (let part = 0; part < lines.length; part += 100) compare(`${lines.slice(part, part + 100).join('\n')}\n`)
        expect(compare(`${garbage}\n`).lines).toBe(2)
      },
    ),
    { numRuns: cases(60, 2) },
  )
})

test('no bound of a histogram is on the wrong side of floats that are too large to be measured', () => {
  const type = { kind: 'float' } as const
  const boundsOf = (...values: number[]) => describeSpread(type, count(type, values)).histogram
  expect(boundsOf(2e13, 1e15, 3e16)).toEqual({ bounds: [2e13, 3e16], counts: [3] })
  const negative = boundsOf(-3e16, -2e13)
  expect(negative).toEqual({ bounds: [-3e16, expect.any(Number)], counts: [2] })
  expect(Number(negative?.bounds[1])).toBeGreaterThanOrEqual(-2e13)
  const { bounds = [], counts = [] } = boundsOf(-5e20, 1, 2, 5e20) ?? {}
  expect([bounds.at(0), bounds.at(-1)]).toEqual([-5e20, 5e20])
  expect(bounds).toEqual(bounds.toSorted((one, other) => Number(one) - Number(other)))
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(4)
})
