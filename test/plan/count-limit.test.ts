import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countAllowed, describeExcess, orOne, toCountLimit } from '../../src/plan/count-limit.ts'
import { cases } from '../depth.ts'

test.each([
  { limit: '0.7%', whole: 11_000, allowed: 77 },
  { limit: '0.7%', whole: 10_999, allowed: 76 },
  { limit: '29%', whole: 100, allowed: 29 },
  { limit: '0.57%', whole: 10_000, allowed: 57 },
  { limit: '0.0000001%', whole: 1_000_000_000, allowed: 1 },
  { limit: '0.0000001%', whole: 999_999_999, allowed: 0 },
  { limit: '33.333333333333%', whole: 3, allowed: 0 },
  { limit: '100.0%', whole: 7, allowed: 7 },
  { limit: '0%', whole: 7, allowed: 0 },
  { limit: '12', whole: 7, allowed: 12 },
  { limit: 0, whole: 7, allowed: 0 },
])('a limit of $limit allows exactly $allowed of $whole', ({ limit, whole, allowed }) => {
  expect(countAllowed(toCountLimit(limit), whole)).toBe(allowed)
})

test('a share as limit of a delta allows at least one line unless it is 0%, and says so', () => {
  const limits = ['1%', '0%', '50%', 3].map((limit) => orOne(toCountLimit(limit)))
  expect(limits.map((limit) => countAllowed(limit, 41))).toEqual([1, 0, 20, 3])
  expect(describeExcess(orOne(toCountLimit('1%')), 2, 41, 'lines to be rejected')).toBe(
    'expected at most 1 (1%, and always one in a delta) of 41 lines to be rejected, got 2',
  )
})

test('a share is exact for every number of decimals and every whole', () => {
  const decimals = fc.integer({ min: 0, max: 9 })
  fc.assert(
    fc.property(decimals, fc.nat(), fc.integer({ min: 0, max: 1_000_000_000 }), (places, seed, whole) => {
      const scaled = seed % (100 * 10 ** places)
      const share = `${Math.floor(scaled / 10 ** places)}.${String(scaled % 10 ** places).padStart(places, '0')}0%`
      const exact = (BigInt(scaled) * BigInt(whole)) / (100n * 10n ** BigInt(places))
      expect(countAllowed(toCountLimit(share), whole)).toBe(Number(exact))
    }),
    { numRuns: cases(300) },
  )
})

test('the message about an exceeded share states the count', () => {
  const share = toCountLimit('0.7%')
  expect(describeExcess(share, 7700, 1_100_000, 'lines to be rejected')).toBeNull()
  expect(describeExcess(share, 7701, 1_100_000, 'lines to be rejected')).toBe(
    'expected at most 7,700 (0.7%) of 1,100,000 lines to be rejected, got 7,701',
  )
  expect(describeExcess(toCountLimit(12), 13, 20, 'lines')).toBe('expected at most 12 of 20 lines, got 13')
})
