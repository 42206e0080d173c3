import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { buildChild } from '../../built-child.ts'
import {
  createSharedMemory,
  MemorySpace,
  type MemoryRange,
  OutOfMemory,
} from '../../../src/records/memory/memory-space.ts'
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

  test('MemorySpace finds the address of its bytes, also after the memory has grown, and none of other memories', () => {
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

  test('a range of another thread is seen with the spare bytes after it, as a view and when it is taken again', () => {
    const space = new MemorySpace()
    const other = new MemorySpace(space.memory)
    const known = space.bytes.length
    const ranges = Array.from({ length: 4000 }, () => other.take(64))
    const inside = ranges.find(({ address, bytes }) => address + bytes > known - 64 && address + bytes <= known)
    const beyond = ranges.at(-1)!
    expect(space.view(inside!)).toHaveLength(64)
    expect(space.bytes.length).toBeGreaterThanOrEqual(inside!.address + 64 + 65_536)
    const third = new MemorySpace(space.memory)
    other.take(10_000_000)
    third.release(beyond)
    const taken = other.take(10_000_000)
    third.release(taken)
    third.setWord(third.take(10_000_000).address + 9_999_996, 7)
    expect(other.word(taken.address + 9_999_996)).toBe(7)
  })

  test('a released range is taken again in parts, and together with its neighbours', () => {
    const space = new MemorySpace()
    const [first, second, third] = [space.take(4096), space.take(1024), space.take(64)]
    space.release(first)
    expect(space.take(8192).address).toBeGreaterThan(third.address)
    expect(space.take(2000)).toEqual({ address: first.address, bytes: 2048 })
    space.release(second)
    expect(space.take(3072)).toEqual({ address: first.address + 2048, bytes: 3072 })
  })

  test('a full memory throws an error that says what to do', () => {
    const space = new MemorySpace(createSharedMemory(2 ** 32 - 2 ** 20))
    expect(space.take(100_000).address).toBe(2 ** 32 - 2 ** 20)
    expect(() => space.take(2 ** 20)).toThrow(OutOfMemory)
    expect(() => space.take(2 ** 20)).toThrow('memory: expected room for 1048576 bytes, got none below 4 GiB')
  })

  test('words and texts are read and written anywhere in 4 GiB', () => {
    for (const start of [65_536, 2 ** 31 - 64, 2 ** 31, 3 * 2 ** 30, 2 ** 32 - 2 ** 20]) {
      const space = new MemorySpace(createSharedMemory(start))
      const { address } = space.take(128)
      for (const at of [0, 60, 64, 124]) space.setWord(address + at, 0xfffffff0 + at)
      expect([0, 60, 64, 124].map((at) => space.word(address + at))).toEqual(
        [0, 60, 64, 124].map((at) => (0xfffffff0 + at) % 2 ** 32),
      )
      space.wordsIn(address, address + 8).set([0x64636261, 0xa9c36665])
      expect([space.text(address, 8), space.text(address + 1, 2, 'latin1')]).toEqual(['abcdef\u00e9', 'bc'])
    }
  })
})

async function takeInThread({ memory }: MemorySpace): Promise<MemoryRange[]> {
  const worker = new Worker(await buildChild('take-ranges-child.ts'), { workerData: memory })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
