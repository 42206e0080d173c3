import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/service/http/clock.ts'
import { createRequestBudget, type RequestBudget } from '../../../src/service/http/request-budget.ts'
import { cases } from '../../depth.ts'
import { FakeClock } from './fake-clock.ts'

test('a request budget of 100 keeps 250 requests with concurrency 16 below it in any 60 seconds, and none is lost', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock })
  const sent: number[] = []
  let left = 250
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const slot = await budget.take(100)
      sent.push(clock.now())
      await clock.sleep(40)
      slot.answered()
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
      const budget = createRequestBudget({ clock, windowMs: 1000 })
      const sent: number[] = []
      const order: number[] = []
      const taken: Promise<void>[] = []
      for (const { afterMs, together } of bursts) {
        await clock.sleep(afterMs)
        for (let i = 0; i < together; i++) {
          const number = taken.length
          taken.push(
            (async () => {
              await send(budget, 5)
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
    { numRuns: cases(40) },
  )
})

test('a slot of a request budget is taken before anything is awaited', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock })
  const first = [send(budget, 2), send(budget, 2)]
  const third = send(budget, 2)
  await Promise.all(first)
  expect(clock.sleeps).toEqual([60_001])
  await third
})

test('a pause of a request budget holds every request back until its end', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock })
  budget.pauseUntil(1_005_000)
  budget.pauseUntil(1_002_000)
  await Promise.all([budget.take(100), budget.take(100)])
  expect(clock.now()).toBe(1_005_000)
})

test('a pause of a request budget that is set while a request waits lengthens the wait', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  await send(budget, 1)
  const second = budget.take(1)
  budget.pauseUntil(1_009_000)
  await second
  expect(clock.now()).toBe(1_009_000)
})

test('a request budget has room once the oldest request has left the window', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  expect(budget.roomAt()).toBe(1_000_000)
  await send(budget, 100)
  await clock.sleep(500)
  await send(budget, 100)
  expect(budget.roomAt()).toBe(1_001_001)
})

test('a request that is aborted while it waits for its budget is not counted, and the next in line is served', async () => {
  const clock = new FakeClock()
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  await send(budget, 1)
  const stop = new AbortController()
  const stopped = budget.take(1, stop.signal)
  const next = budget.take(1)
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  const before = clock.now()
  await next
  expect(clock.now() - before).toBe(1001)
  await expect(budget.take(1, stop.signal)).rejects.toThrow('enough')
})

test('the wait for a slot of a budget ends when the last waiting request leaves, and starts anew for the next', async () => {
  const budget = createRequestBudget({ clock: systemClock, windowMs: 50 })
  await send(budget, 1)
  const stop = new AbortController()
  const stopped = budget.take(1, stop.signal)
  stop.abort(new Error('enough'))
  const next = budget.take(1)
  await expect(stopped).rejects.toThrow('enough')
  await next
})

test('a clock of a request budget that fails, fails every waiting request', async () => {
  const clock = { now: () => 0, sleep: () => Promise.reject(new Error('broken clock')) }
  const budget = createRequestBudget({ clock })
  await send(budget, 1)
  const both = await Promise.allSettled([budget.take(1), budget.take(1)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a request with a lower limit counts the requests of all, and is not overtaken', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  const order: string[] = []
  const ask = async (name: string, limit: number): Promise<void> => {
    await send(budget, limit)
    order.push(`${name} ${clock.now() - 1_000_000}`)
  }
  await Promise.all([ask('a', 3), ask('b', 3), ask('slow', 1), ask('c', 3), ask('d', 3), ask('e', 3)])
  expect(order).toEqual(['a 0', 'b 0', 'slow 1001', 'c 1001', 'd 1001', 'e 2002'])
})

test('the next in line does not wait for the room that a request which left would have needed', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  await send(budget, 1)
  const stop = new AbortController()
  const stopped = budget.take(1, stop.signal)
  const next = budget.take(2)
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  await next
  expect(clock.now()).toBe(1_000_000)
})

test('requests with any mix of limits are served in order, each within its own limit, and none waits for ever', async () => {
  const pattern = fc.array(
    fc.record({ afterMs: fc.nat(3000), limits: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 6 }) }),
    { maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(pattern, async (bursts) => {
      const clock = new FakeClock()
      const budget = createRequestBudget({ clock, windowMs: 1000 })
      const sent: number[] = []
      const order: number[] = []
      const asked: Promise<void>[] = []
      const ask = async (number: number, limit: number): Promise<void> => {
        await send(budget, limit)
        expect(sent.filter((at) => at >= clock.now() - 1000).length).toBeLessThan(limit)
        sent.push(clock.now())
        order.push(number)
      }
      for (const { afterMs, limits } of bursts) {
        await clock.sleep(afterMs)
        for (const limit of limits) asked.push(ask(asked.length, limit))
      }
      await Promise.all(asked)
      expect(order).toEqual(asked.map((_, number) => number))
      // Each waits for one window at most once it is first in line.
      expect(clock.now()).toBeLessThanOrEqual(Date.UTC(2026, 0, 1) + 10 * 3000 + asked.length * 1001)
    }),
    { numRuns: cases(40) },
  )
})

test('no window has more arrivals than the budget, however long requests take to arrive and to be answered', async () => {
  const request = fc.record({
    afterMs: fc.constantFrom(0, 0, 0, 10, 400, 1100),
    arrivesMs: fc.nat(300),
    answeredMs: fc.nat(300),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 6, maxLength: 24 }), async (requests) => {
      const clock = new FakeClock()
      const budget = createRequestBudget({ clock, windowMs: 1000 })
      const arrived: number[] = []
      const ask = async ({ arrivesMs, answeredMs }: (typeof requests)[number]): Promise<void> => {
        const slot = await budget.take(4)
        await clock.sleep(arrivesMs)
        arrived.push(clock.now())
        await clock.sleep(answeredMs)
        slot.answered()
      }
      const asked: Promise<void>[] = []
      for (const each of requests) {
        await clock.sleep(each.afterMs)
        asked.push(ask(each))
      }
      await Promise.all(asked)
      expect(arrived).toHaveLength(requests.length)
      expect(mostInWindow(arrived, 1000)).toBeLessThanOrEqual(4)
    }),
    { numRuns: cases(300, 40) },
  )
})

test('a request that is not answered keeps its slot, and its answer lets the next one go one window later', async () => {
  const clock = new FakeClock(1_000_000)
  const budget = createRequestBudget({ clock, windowMs: 1000 })
  const slot = await budget.take(1)
  const next = budget.take(1)
  await clock.sleep(5000)
  slot.answered()
  slot.answered()
  await next
  expect(clock.now()).toBe(1_006_001)
})

/** Takes a slot for a request that is answered at once. */
async function send(budget: RequestBudget, limit: number): Promise<void> {
  const slot = await budget.take(limit)
  slot.answered()
}

/** The most requests in any window, its edges included. */
function mostInWindow(sent: readonly number[], windowMs: number): number {
  return Math.max(0, ...sent.map((from) => sent.filter((at) => at >= from && at <= from + windowMs).length))
}
