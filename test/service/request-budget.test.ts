import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/service/clock.ts'
import { createRequestBudget } from '../../src/service/request-budget.ts'
import { FakeClock } from './fake-clock.ts'

test('250 requests with concurrency 16 never exceed 100 in any 60 seconds, and none is lost', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock })
  const sent: number[] = []
  let left = 250
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      await budget.take()
      sent.push(clock.now())
      await clock.sleep(40)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  expect(sent).toHaveLength(250)
  expect(mostInWindow(sent, 60_000)).toBe(100)
  // No slower than it has to be: the third hundred begins after two minutes.
  expect(clock.now() - (sent[0] ?? 0)).toBeLessThan(122_000)
})

test('any pattern of requests stays within the budget and is served in order', async () => {
  const pattern = fc.array(fc.record({ afterMs: fc.nat(3000), together: fc.integer({ min: 1, max: 8 }) }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(pattern, async (bursts) => {
      const clock = new FakeClock()
      const budget = createRequestBudget({ clock, requests: 5, windowMs: 1000 })
      const sent: number[] = []
      const order: number[] = []
      const taken: Promise<void>[] = []
      for (const { afterMs, together } of bursts) {
        await clock.sleep(afterMs)
        for (let i = 0; i < together; i++) {
          const number = taken.length
          taken.push(
            (async () => {
              await budget.take()
              sent.push(clock.now())
              order.push(number)
            })(),
          )
        }
      }
      await Promise.all(taken)
      expect(mostInWindow(sent, 1000)).toBeLessThanOrEqual(5)
      expect(order).toEqual(taken.map((_, number) => number))
    }),
    { numRuns: 40 },
  )
})

test('a slot is taken before anything is awaited', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock, requests: 2 })
  const first = [budget.take(), budget.take()]
  const third = budget.take()
  await Promise.all(first)
  expect(clock.sleeps).toEqual([60_001])
  await third
})

test('a pause holds every request back until its end', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock })
  budget.pauseUntil(1_005_000)
  budget.pauseUntil(1_002_000)
  await Promise.all([budget.take(), budget.take()])
  expect(clock.now()).toBe(1_005_000)
})

test('a pause that is set while somebody waits lengthens the wait', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, requests: 1, windowMs: 1000 })
  await budget.take()
  const second = budget.take()
  budget.pauseUntil(1_009_000)
  await second
  expect(clock.now()).toBe(1_009_000)
})

test('there is room once the oldest request has left the window', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  expect(budget.roomAt()).toBe(1_000_000)
  await budget.take()
  await clock.sleep(500)
  await budget.take()
  expect(budget.roomAt()).toBe(1_001_001)
})

test('whoever stops waiting leaves no trace: the next in line is served and nothing is counted', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock, requests: 1, windowMs: 1000 })
  await budget.take()
  const stop = new AbortController()
  const stopped = budget.take(stop.signal)
  const next = budget.take()
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  const before = clock.now()
  await next
  expect(clock.now() - before).toBe(1001)
  await expect(budget.take(stop.signal)).rejects.toThrow('enough')
})

test('the wait ends when the last one leaves, and starts anew for the next', async () => {
  const budget = createRequestBudget({ clock: systemClock, requests: 1, windowMs: 50 })
  await budget.take()
  const stop = new AbortController()
  const stopped = budget.take(stop.signal)
  stop.abort(new Error('enough'))
  const next = budget.take()
  await expect(stopped).rejects.toThrow('enough')
  await next
})

test('a clock that fails, fails whoever waits', async () => {
  const clock = { now: () => 0, sleep: () => Promise.reject(new Error('broken clock')) }
  const budget = createRequestBudget({ clock, requests: 1 })
  await budget.take()
  const both = await Promise.allSettled([budget.take(), budget.take()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

/** The most requests in any window, its edges included. */
function mostInWindow(sent: readonly number[], windowMs: number): number {
  return Math.max(0, ...sent.map((from) => sent.filter((at) => at >= from && at <= from + windowMs).length))
}
