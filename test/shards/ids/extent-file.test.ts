import { array, assert, asyncProperty, integer, nat, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { ExtentReader, ExtentWriter } from '../../../src/shards/ids/extent-file.ts'
import { cases } from '../../depth.ts'
import { MemoryFile } from './memory-file.ts'

type Words = readonly [key: number, words: readonly number[]]

async function write(added: readonly Words[]): Promise<MemoryFile> {
  const file = new MemoryFile()
  const writer = new ExtentWriter(file.write)
  for (const [key, words] of added) {
    writer.at(key).pushAll(Uint32Array.from(words))
    await writer.flushIfFull()
  }
  await writer.finish()
  return file
}

async function read(file: MemoryFile, from: number, until: number): Promise<number[]> {
  const reader = await ExtentReader.open('ids.bin', file.bytes.length, file)
  const stretches = await Promise.all(reader.listStretches({ from, until }).map((stretch) => reader.read(stretch)))
  return stretches.flatMap((words) => [...words])
}

it('a file of extents gives the words of each key in order, and those of neighbouring keys with one read', async () => {
  const words = tuple(nat(20), array(integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 5 }))
  await assert(
    asyncProperty(array(words), nat(21), nat(21), async (added, one, other) => {
      const file = await write(added)
      expect((await write(added)).bytes).toEqual(file.bytes)
      const [from, until] = [Math.min(one, other), Math.max(one, other)]
      const wanted = added.filter(([key]) => key >= from && key < until).toSorted(([a], [b]) => a - b)
      expect(await read(file, from, until)).toEqual(wanted.flatMap(([, each]) => each))
      expect(file.reads).toBeLessThanOrEqual(2)
    }),
    { numRuns: cases(500) },
  )
})

it('a file of extents that was flushed several times gives the words of a key in the order of the flushes', async () => {
  const file = new MemoryFile()
  const writer = new ExtentWriter(file.write)
  const full = new Uint32Array(4 * 1024 * 1024)
  for (const value of [1, 2, 3]) {
    writer.at(7).push(value)
    writer.at(3).pushAll(full)
    await writer.flushIfFull()
  }
  await writer.finish()
  const reader = await ExtentReader.open('ids.bin', file.bytes.length, file)
  expect(reader.listStretches({ from: 4, until: 8 })).toHaveLength(3)
  expect(await read(file, 4, 8)).toEqual([1, 2, 3])
  const lengths = new Float64Array(8)
  reader.addLengths(lengths)
  expect([...lengths]).toEqual([0, 0, 0, 3 * full.length, 0, 0, 0, 3])
})

it('a file of extents is read even if its index is longer than the first read of its end', async () => {
  const keys = Array.from({ length: 20_000 }, (_, key) => key)
  const file = await write(keys.map((key) => [key, [key]]))
  expect(await read(file, 19_000, 19_003)).toEqual([19_000, 19_001, 19_002])
  expect(await read(file, 20_000, 30_000)).toEqual([])
  expect(await read(await write([]), 0, 5)).toEqual([])
})
