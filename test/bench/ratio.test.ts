import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, toRatio } from '../../bench/ratio.ts'
import { runsOf } from './fake-sides.ts'

describe('the median', () => {
  it('the median is the middle value, or the mean of the two in the middle', () => {
    expect(median([30, 10, 20])).toBe(20)
    expect(median([40, 10, 20, 30])).toBe(25)
    expect(median([7])).toBe(7)
  })

  it('the median does not depend on the order, and lies between the extremes', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
        const middle = median(values)
        expect(median(values.toReversed())).toBe(middle)
        expect(middle).toBeGreaterThanOrEqual(Math.min(...values))
        expect(middle).toBeLessThanOrEqual(Math.max(...values))
      }),
    )
  })
})

it('a ratio compares pair by pair, so that a slow minute of the machine cancels out', () => {
  const ours = runsOf('ours', [{ wallMs: 100 }, { wallMs: 1000 }, { wallMs: 100 }])
  const theirs = runsOf('theirs', [{ wallMs: 200 }, { wallMs: 2000 }, { wallMs: 400 }])
  const speed = toRatio(ours, theirs, (our, their) => their.wallMs / our.wallMs)
  expect(speed).toEqual({ median: 2, least: 2, most: 4 })
})
