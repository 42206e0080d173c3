import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { MemorySpace, type MemoryRange } from '../../src/memory/memory-space.ts'
import { takeMany } from './take-many.ts'

describe('the memory of an encoder', () => {
  test('ranges that threads take from one memory at the same time never overlap, while it grows', async () => {
    const space = new MemorySpace()
    const ranges = await Promise.all(Array.from({ length: 3 }, () => takeInThread(space)))
    const taken = [...ranges.flat(), ...takeMany(space)].toSorted((left, right) => left.address - right.address)
    expect(taken).toHaveLength(800)
    for (const [at, { address }] of taken.entries()) {
      const before = taken[at - 1]
      expect(address % 64).toBe(0)
      expect(address).toBeGreaterThanOrEqual(before === undefined ? 65_536 : before.address + before.bytes)
    }
    const last = taken.at(-1)!
    expect(space.view(last)).toHaveLength(last.bytes)
  })

  test('bytes are found where they lie, also after the memory has grown, and bytes of other memories are not', () => {
    const space = new MemorySpace()
    const range = space.take(1000)
    const view = space.view(range)
    view.write('kept')
    const first = view.subarray(10, 20)
    space.take(10_000_000)
    expect(space.find(first)).toEqual({ address: range.address + 10, bytes: 10 })
    expect(space.view(range).toString('latin1', 0, 4)).toBe('kept')
    expect(space.find(new MemorySpace().view({ address: range.address, bytes: 8 }))).toBeNull()
    expect(space.find(Buffer.alloc(8))).toBeNull()
  })

  test('a range that is released is taken again by what fits into it', () => {
    const space = new MemorySpace()
    const range = space.take(4096)
    space.release(range)
    expect(space.take(8192)).not.toEqual(range)
    expect(space.take(2000)).toEqual(range)
  })
})

async function takeInThread({ memory }: MemorySpace): Promise<MemoryRange[]> {
  const worker = new Worker(new URL('take-ranges-child.ts', import.meta.url), {
    workerData: memory,
    execArgv: ['--import', 'jiti/register'],
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
