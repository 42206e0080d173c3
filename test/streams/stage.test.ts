import * as fc from 'fast-check'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Stage } from '../../src/streams/stage.ts'
import { cases } from '../depth.ts'
import { collect } from './collect.ts'

describe('Stage', () => {
  test('a Stage gives every result in order, however many one item has and however slow its neighbours are', async () => {
    const items = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
    const pace = fc.constantFrom('at once', 'later', 'in a promise')
    await fc.assert(
      fc.asyncProperty(items, pace, pace, fc.integer({ min: 1, max: 20 }), async (counts, ofStage, ofSink, room) => {
        const given: string[] = []
        await pipeline(Readable.from(counts), repeat(ofStage), repeat(ofStage), createSink(given, ofSink, room))
        const once = counts.flatMap((count) => Array.from({ length: count }, () => count))
        expect(given).toEqual([
          ...once.flatMap((count) => Array.from({ length: count }, () => `${count}`)),
          'end',
          'end',
        ])
      }),
      { numRuns: cases(60) },
    )
  })

  test('a Stage takes bytes, or gives them', async () => {
    const lengths = new Stage<Buffer, number>({ bytes: 'taken', take: (chunk) => [chunk.length] })
    const bytes = new Stage<number, Buffer>({ bytes: 'given', take: (length) => [Buffer.alloc(length, 'a')] })
    expect(String(Buffer.concat(await collect(Readable.from(['é'], { objectMode: false }), lengths, bytes)))).toBe('aa')
  })

  test('a Stage calls abort when it is destroyed or fails at its end, and not when it has ended', async () => {
    const aborted: string[] = []
    const failing = new Error('no end')
    const create = (name: string, end: () => readonly never[] = () => []) =>
      new Stage({ take: (item) => [item], end, abort: async () => void aborted.push(name) })
    const fail = (): never => {
      throw failing
    }
    await collect(Readable.from([1]), create('ended'))
    await expect(collect(Readable.from([1]), create('failed', fail))).rejects.toBe(failing)
    const destroyed = create('destroyed')
    destroyed.destroy()
    await new Promise((resolve) => destroyed.on('close', resolve))
    expect(aborted).toEqual(['failed', 'destroyed'])
  })

  test('a Stage ends with the error of abort, unless something failed before', async () => {
    const first = new Error('first')
    const second = new Error('second')
    const abort = (): Promise<never> => Promise.reject(second)
    const stopped = new Stage({ take: () => [], abort })
    const ended = new Promise((resolve) => stopped.on('error', resolve))
    stopped.destroy()
    expect(await ended).toBe(second)
    const failing = new Stage({ take: () => Promise.reject(first), abort })
    await expect(collect(Readable.from([1]), failing)).rejects.toBe(first)
  })
})

type Pace = 'at once' | 'later' | 'in a promise'

/** A stage that gives a number that many times, and one more result at its end. */
function repeat(pace: Pace): Stage<number | string, number | string> {
  const take = {
    'at once': toCopies,
    later: (item: number | string) => nextTurn(toCopies(item)),
    'in a promise': async (item: number | string) => toCopies(item),
  }
  return new Stage({ take: take[pace], end: () => ['end'] })
}

function toCopies(item: number | string): (number | string)[] {
  return Array.from({ length: typeof item === 'string' ? 1 : item }, () => item)
}

function createSink(given: string[], pace: Pace, highWaterMark: number): Writable {
  return new Writable({
    objectMode: true,
    highWaterMark,
    write(item, _encoding, done) {
      given.push(String(item))
      if (pace === 'at once') done()
      else if (pace === 'later') setImmediate(done)
      else queueMicrotask(done)
    },
  })
}
