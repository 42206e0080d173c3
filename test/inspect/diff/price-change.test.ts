import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePrices } from '../../../src/inspect/diff/price-change.ts'
import { cases } from '../../depth.ts'

describe('the change of a price', () => {
  test.each([
    ['820', '790', { direction: 'down', amount: '-30', percent: '-3.66' }],
    ['8.20', '8.61', { direction: 'up', amount: '0.41', percent: '5.00' }],
    ['8.2', '9', { direction: 'up', amount: '0.8', percent: '9.76' }],
    ['0.01', '10', { direction: 'up', amount: '9.99', percent: '99900.00' }],
    ['800', '799.996', { direction: 'down', amount: '-0.004', percent: '0.00' }],
    ['9007199254740993', '9007199254740994', { direction: 'up', amount: '1', percent: '0.00' }],
  ])('from %s to %s is exact in amount, and rounded in percent', (old, next, change) => {
    expect(comparePrices(old, next)).toEqual(change)
  })

  test.each([
    [null, '820', 'came'],
    ['0', '820', 'came'],
    ['-1', '820', 'came'],
    ['820', null, 'went'],
    ['820', '0.00', 'went'],
    ['820', '-820', 'went'],
  ])('from %s to %s has no amount, as zero and negative amounts are no price: the price %s', (old, next, direction) => {
    expect(comparePrices(old, next)).toEqual({ direction, amount: null, percent: null })
  })

  test.each([
    ['8.20', '8.2'],
    ['0', '-5'],
    [null, '0'],
    [null, null],
    ['on request', '820'],
    ['820', '1e3'],
  ])('from %s to %s is none', (old, next) => {
    expect(comparePrices(old, next)).toBeNull()
  })

  test('of any cents is that of their whole numbers, and the percent off by half a hundredth at most', () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 })
    fc.assert(
      fc.property(cents, cents, (old, next) => {
        const change = comparePrices((old / 100).toFixed(2), (next / 100).toFixed(2))
        fc.pre(old !== next)
        expect(Math.round(Number(change?.amount) * 100)).toBe(next - old)
        expect(change?.direction).toBe(next > old ? 'up' : 'down')
        const percent = ((next - old) / old) * 100
        expect(Math.abs(Number(change?.percent) - percent)).toBeLessThanOrEqual(0.005 + Math.abs(percent) * 1e-12)
      }),
      { numRuns: cases(2000) },
    )
  })
})
