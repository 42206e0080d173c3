import { describe, expect, test } from 'vitest'
import { IndexRanges } from '../../src/sources/index-ranges.ts'
import { startCpuTime } from '../cpu-time.ts'

describe('ranges of indexes', () => {
  test.each([
    ['a third of them', 3],
    ['every other', 2],
    ['all', 1],
  ])('ranges of indexes hold new indexes apart from others, scattered over many chunks: %s', (_, step) => {
    const indexes = shuffle(Array.from({ length: 20_000 }, (_each, at) => at * step))
    const ranges = new IndexRanges()
    for (const index of indexes) expect(ranges.add(index)).toBe(true)
    for (const index of indexes.slice(0, 500)) expect(ranges.add(index)).toBe(false)
    expect(ranges.list()).toEqual(
      step === 1 ? [[0, 20_000]] : indexes.toSorted((a, b) => a - b).map((at) => [at, at + 1]),
    )
    for (let index = 0; index < 60_000; index++) ranges.add(index)
    expect(ranges.list()).toEqual([[0, 60_000]])
  })

  test('ranges of indexes take a great many in any order in no time', () => {
    const ranges = new IndexRanges()
    const indexes = shuffle(Array.from({ length: 100_000 }, (_, at) => at * 2))
    const cpuMs = startCpuTime()
    for (const index of indexes) ranges.add(index)
    expect(cpuMs()).toBeLessThan(3000)
    expect(ranges.list()).toHaveLength(100_000)
  })
})

/** The same order every time. */
function shuffle(numbers: number[]): number[] {
  let state = 1
  for (let at = numbers.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const other = state % (at + 1)
    const moved = numbers[at] ?? 0
    numbers[at] = numbers[other] ?? 0
    numbers[other] = moved
  }
  return numbers
}
