import * as fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { mapInOrder } from '../../../src/engine/reading/map-in-order.ts'
import { cases } from '../../depth.ts'

const never = new AbortController().signal

describe('mapInOrder', () => {
  test('mapInOrder yields results in the order of the items, and never works on more items than allowed', async () => {
    const delays = fc.array(fc.nat(3), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 5 }), async (items, ahead) => {
        let underWay = 0
        let most = 0
        const work = async (item: { readonly delay: number; readonly at: number }) => {
          most = Math.max(most, ++underWay)
          await sleep(item.delay)
          return item.at
        }
        const read = async function* () {
          for (const [at, delay] of items.entries()) yield { delay, at }
        }
        const results: number[] = []
        for await (const result of mapInOrder(read, work, { ahead, signal: never })) {
          underWay--
          results.push(result)
        }
        expect(results).toEqual(items.map((_, at) => at))
        expect(most).toBeLessThanOrEqual(ahead)
      }),
      { numRuns: cases(30) },
    )
  })

  test('mapInOrder reads no further than `ahead` while no result is taken', async () => {
    let read = 0
    const items = async function* () {
      for (;;) yield read++
    }
    const results = mapInOrder(items, async (item) => item, { ahead: 3, signal: never })
    await results.next()
    await sleep(20)
    expect(read).toBeLessThanOrEqual(4)
    await results.return(undefined)
  })

  test('mapInOrder gives a result as soon as it is ready, even before the next item is read', async () => {
    const waiting = waitForAbort()
    const results = mapInOrder(waiting.read, async (item) => item, { ahead: 5, signal: never })
    expect(await results.next()).toEqual({ value: 'first', done: false })
    await results.return(undefined)
    expect(waiting.isStopped()).toBe(true)
  })

  test.each(['reading', 'work'] as const)(
    'mapInOrder throws a failure of the %s after the results before it',
    async (failing) => {
      const read = async function* () {
        yield 1
        yield 2
        if (failing === 'reading') throw new Error('broken')
        yield 3
      }
      const results: number[] = []
      const take = async () => {
        for await (const result of mapInOrder(read, failAtThree, { ahead: 3, signal: never })) results.push(result)
      }
      await expect(take()).rejects.toThrow('broken')
      expect(results).toEqual([1, 2])
    },
  )

  test('mapInOrder stops the reading when the consumer fails, even while it waits for an item', async () => {
    const waiting = waitForAbort()
    const take = async () => {
      for await (const _ of mapInOrder(waiting.read, async (item) => item, { ahead: 2, signal: never }))
        throw new Error('disk full')
    }
    await expect(take()).rejects.toThrow('disk full')
    expect(waiting.isStopped()).toBe(true)
  })

  test('mapInOrder stops the reading when the signal aborts', async () => {
    const waiting = waitForAbort()
    const controller = new AbortController()
    const results = mapInOrder(waiting.read, async (item) => item, { ahead: 2, signal: controller.signal })
    await results.next()
    controller.abort()
    expect(await results.next()).toEqual({ value: undefined, done: true })
  })
})

/** The failure comes before the results of the items before. */
async function failAtThree(item: number): Promise<number> {
  if (item === 3) throw new Error('broken')
  await sleep(10)
  return item
}

/** A reading that has one item, and then no more until it is stopped. */
function waitForAbort() {
  let isStopped = false
  async function* read(signal: AbortSignal): AsyncGenerator<string> {
    yield 'first'
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isStopped = true
  }
  return { read, isStopped: () => isStopped }
}
