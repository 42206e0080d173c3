import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Turns } from '../../../src/engine/run/turns.ts'

const reading = (progress = () => performance.now(), signal = new AbortController().signal) => ({ signal, progress })
const standing = () => reading(() => 7)

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function waitFor(needed: Promise<unknown>, turn: Promise<() => void>): Promise<void> {
  const end = await turn
  await needed
  end()
}

describe('turns at reading', () => {
  test('as many runs as there are turns read at once, and the others in the order in which they asked', async () => {
    const turns = new Turns(2)
    const begun: string[] = []
    const take = async (name: string) => {
      const end = await turns.take(reading())
      begun.push(name)
      return end
    }
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(take)
    await vi.advanceTimersByTimeAsync(5000)
    expect(begun).toEqual(['a', 'b'])
    ;(await b)?.()
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']))
    ;(await b)?.()
    await sleep(5)
    expect(begun).toEqual(['a', 'b', 'c'])
    ;(await a)?.()
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c', 'd']))
    for (const end of [await c, await d]) end?.()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a run that reads nothing for five seconds lets another one read, and counts again when it goes on', async () => {
    const turns = new Turns(1)
    let bytes = 0
    const first = await turns.take(reading(() => bytes))
    const second = turns.take(reading())
    const third = vi.fn<() => void>()
    const thirdTurn = turns.take(reading()).then(third)
    await vi.advanceTimersByTimeAsync(5000)
    const endSecond = await second
    bytes++
    await vi.advanceTimersByTimeAsync(5000)
    endSecond()
    await sleep(5)
    expect(third).not.toHaveBeenCalled()
    first()
    await thirdTurn
  })

  test('runs that wait for each other end, however many wait for a turn before them', async () => {
    const turns = new Turns(2)
    const last = turns.take(standing())
    let before: Promise<unknown> = Promise.resolve()
    for (let at = 20; at > 0; at--) {
      before = waitFor(before, turns.take(standing()))
    }
    void last.then((end) => end())
    await vi.advanceTimersByTimeAsync(120_000)
    await before
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a run that is interrupted while it waits waits no longer, and takes no turn', async () => {
    const turns = new Turns(1)
    const end = await turns.take(reading())
    const stop = new AbortController()
    const waits = turns.take(reading(undefined, stop.signal))
    const begun = vi.fn<() => void>()
    const third = turns.take(reading())
    void third.then(begun)
    stop.abort()
    ;(await waits)()
    ;(await turns.take(reading(undefined, stop.signal)))()
    await sleep(5)
    expect(begun).not.toHaveBeenCalled()
    end()
    ;(await third)()
    expect(vi.getTimerCount()).toBe(0)
  })
})
