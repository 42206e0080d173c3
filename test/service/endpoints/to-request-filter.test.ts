import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRequest } from '../../../src/service/endpoints/check-request.ts'
import { toRequestFilter } from '../../../src/service/endpoints/to-request-filter.ts'
import { cases } from '../../depth.ts'

const now = new Date('2026-03-01T12:00:00.900Z')
const nowSeconds = Date.parse('2026-03-01T12:00:00Z') / 1000
const secondsOf = (text: string) => Date.parse(text) / 1000

const convert = (filter: Record<string, unknown>) => toRequestFilter('v4/products/stream', filter, { now })

describe('toRequestFilter', () => {
  it.each([
    [{}, {}],
    [{ status: 'active' }, { status: 'active' }],
    [{ status: 'active', brand: '7' }, { and: [{ status: 'active' }, { brand: 7 }] }],
    [
      { status: 'active', or: [{ brand: 1, prescription: true }, { cnk: 5 }], not: { id: 'M1', narcotic: 'no' } },
      {
        and: [
          { status: 'active' },
          { or: [{ and: [{ brand: 1 }, { prescription: true }] }, { cnk: '0000005' }] },
          { not: { and: [{ id: 'M1' }, { narcotic: 'no' }] } },
        ],
      },
    ],
    [{ status: 'active', brand: undefined }, { status: 'active' }],
  ])('toRequestFilter puts one key in an object: %j', (config, request) => {
    expect(convert(config)).toEqual(request)
  })

  it.each([
    [1767225600, 1767225600],
    ['2026-01-01', secondsOf('2026-01-01T00:00:00Z')],
    ['2024-02-29', secondsOf('2024-02-29T00:00:00Z')],
    ['2026-01-01T08:00', secondsOf('2026-01-01T08:00:00Z')],
    ['2026-01-01T08:00:00', secondsOf('2026-01-01T08:00:00Z')],
    ['2026-01-01T08:00:59.999Z', secondsOf('2026-01-01T08:00:59Z')],
    ['2026-01-01T08:00:00+02:00', secondsOf('2026-01-01T06:00:00Z')],
    ['-24h', nowSeconds - 86_400],
    ['-7d', nowSeconds - 7 * 86_400],
    ['-30m', nowSeconds - 1800],
    ['+1d', nowSeconds + 86_400],
    ['-999999d', 0],
    ['1960-01-01', 0],
    ['9999-12-31T23:59:59-23:00', 253_402_300_799],
  ])('toRequestFilter turns %j into unix seconds', (dateTime, expected) => {
    expect(checkRequest('v4/products/stream', { filter: { createdAt: dateTime } }, { now })).toEqual([])
    expect(convert({ createdAt: dateTime })).toEqual({ createdAt: expected })
    expect(convert({ not: { updatedSince: { from: dateTime } } })).toEqual({
      not: { updatedSince: { from: expected } },
    })
    expect(convert({ createdAt: { from: 0, until: dateTime } })).toMatchObject({ createdAt: { from: 0 } })
  })

  it('toRequestFilter takes days as whole days in the time zone of the pipeline, and moments as they are', () => {
    // The day on which clocks go forward.
    expect(inBrussels({ createdAt: { from: '2025-03-30', until: '2025-03-30' } })).toEqual({
      createdAt: { from: secondsOf('2025-03-29T23:00:00Z'), until: secondsOf('2025-03-30T21:59:59Z') },
    })
    expect(inBrussels({ updatedSince: '2025-06-10' })).toEqual({ updatedSince: secondsOf('2025-06-09T22:00:00Z') })
    expect(inBrussels({ createdAt: { until: '2025-06-10T08:00:00Z' } })).toEqual({
      createdAt: { until: secondsOf('2025-06-10T08:00:00Z') },
    })
    expect(convert({ createdAt: { until: '2025-06-10' } })).toEqual({
      createdAt: { until: secondsOf('2025-06-10T23:59:59Z') },
    })
  })

  it('toRequestFilter gives codes their leading zeros back and keeps those that are there', () => {
    expect(convert({ cnk: [12345, '012345', '0000001'] })).toEqual({ cnk: ['0012345', '0012345', '0000001'] })
    expect(convert({ eanGtin13: 5 })).toEqual({ eanGtin13: '0000000000005' })
    expect(convert({ ean: ['05412345678908', 541] })).toEqual({ ean: ['05412345678908', '541'] })
  })

  it('toRequestFilter keeps the keys of a query string together', () => {
    expect(toRequestFilter('v4/products/find', { id: 'M1', locale: 'nl' }, { now })).toEqual({ id: 'M1', locale: 'nl' })
  })

  it('toRequestFilter leaves keys that it does not know as they are', () => {
    const filter = { since: '-7d', id: ['5'] }
    expect(toRequestFilter('v4/brands/query', filter, { now })).toEqual({ and: [{ since: '-7d' }, { id: [5] }] })
  })

  it('toRequestFilter does not change its input', () => {
    const config = { createdAt: { from: '-1d' }, or: [{ brand: ['1'], cnk: 5 }] }
    const before = structuredClone(config)
    convert(config)
    expect(config).toEqual(before)
  })

  it('toRequestFilter gives one key an object and whole seconds everywhere, and a filter without problems', () => {
    fc.assert(
      fc.property(filters, (config) => {
        expect(checkRequest('v4/products/query', { filter: config }, { now })).toEqual([])
        const request = convert(config)
        expect(problemsIn(request)).toEqual([])
        expect(checkRequest('v4/products/query', { filter: request }, { now })).toEqual([])
        expect(convert(request)).toEqual(request)
      }),
      { numRuns: cases(300) },
    )
  })
})

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((value) => value.toISOString())
const ages = fc.integer({ min: 0, max: 999_999 })
const dateTimes = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000 }),
  fc.tuple(fc.constantFrom('-', '+'), ages, fc.constantFrom('m', 'h')).map((parts) => parts.join('')),
  dates,
  dates.map((value) => value.slice(0, 10)),
  dates.map((value) => value.slice(0, 19)),
)
const ranges = fc.oneof(
  dateTimes,
  fc.record({ from: dateTimes }),
  fc.record({ until: dateTimes }),
  fc.tuple(dates, dates).map((pair) => ({ from: pair.toSorted()[0]!, until: pair.toSorted()[1]! })),
  fc.tuple(ages, ages).map((pair) => ({ from: `-${Math.max(...pair)}m`, until: `-${Math.min(...pair)}m` })),
)
const ids = fc.oneof(fc.nat(), fc.nat().map(String), fc.array(fc.nat(), { minLength: 1, maxLength: 5 }))

const leaf = fc
  .record(
    {
      status: fc.subarray(['active', 'inactive', 'replaced'], { minLength: 1 }),
      brand: ids,
      cnk: fc.oneof(fc.nat(9_999_999), fc.stringMatching(/^\d{1,7}$/)),
      createdAt: ranges,
      updatedSince: ranges,
      supplyProblemDuration: ranges,
      prescription: fc.boolean(),
      search: fc.record({ query: fc.constant('a'), locale: fc.constantFrom('nl', 'fr') }),
    },
    { requiredKeys: [] },
  )
  .filter((filter) => Object.keys(filter).length > 0)

const { filters } = fc.letrec<{ filters: Record<string, unknown> }>((tie) => ({
  filters: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ and: fc.array(tie('filters'), { minLength: 1, maxLength: 3 }) }),
    fc.tuple(leaf, fc.array(tie('filters'), { minLength: 1, maxLength: 3 })).map(([keys, or]) => ({ ...keys, or })),
    fc.tuple(leaf, tie('filters')).map(([keys, not]) => ({ ...keys, not })),
  ),
}))

/** Everything in a request filter that is not one key an object, or no whole second. */
function problemsIn(filter: Readonly<Record<string, unknown>>): unknown[] {
  const [entry, ...others] = Object.entries(filter)
  if (entry === undefined || others.length > 0) return [filter]
  const [key, value] = entry
  if (key === 'and' || key === 'or') return (value as Record<string, unknown>[]).flatMap(problemsIn)
  if (key === 'not') return problemsIn(value as Record<string, unknown>)
  if (!['createdAt', 'updatedSince', 'supplyProblemDuration'].includes(key)) return []
  const seconds = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return seconds.filter((second) => !Number.isInteger(second))
}

function inBrussels(filter: Record<string, unknown>) {
  return toRequestFilter('v4/products/stream', filter, { now, timezone: 'Europe/Brussels' })
}
