import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeBatches, type SliceOf } from '../../../src/loads/files/merge-batches.ts'

type Batch = readonly number[]

const compare = (one: Batch, at: number, other: Batch, otherAt: number) =>
  (one[at] as number) - (other[otherAt] as number)

async function* inBatches(rows: readonly number[], size: number): AsyncGenerator<Batch> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

async function collect(slices: AsyncGenerator<SliceOf<Batch>>): Promise<number[]> {
  const rows: number[] = []
  for await (const { batch, from, to } of slices) rows.push(...batch.slice(from, to))
  return rows
}

test('merging two orders gives one order, whatever the batches are', async () => {
  const rows = fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 20 }).map((some) => some.toSorted(byNumber))
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 6 }), async (one, other, size) => {
      const merged = await collect(mergeBatches(inBatches(one, size), inBatches(other, 7 - size), compare))
      expect(merged).toEqual([...one, ...other].toSorted(byNumber))
    }),
  )
})

test('a merge of batches in the wrong order fails and ends both sides', async () => {
  const ended: string[] = []
  async function* side(name: string, batches: readonly Batch[]): AsyncGenerator<Batch> {
    try {
      yield* batches
    } finally {
      ended.push(name)
    }
  }
  const merged = mergeBatches(side('one', [[2], [1]]), side('other', [[7], [8], [9]]), compare)
  await expect(collect(merged)).rejects.toThrow('out of order')
  expect(ended.sort()).toEqual(['one', 'other'])
})

function byNumber(one: number, other: number): number {
  return one - other
}
