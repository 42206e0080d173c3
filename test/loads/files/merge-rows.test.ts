import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import { compareText } from '../../../src/loads/files/compare-text.ts'
import { mergeRows } from '../../../src/loads/files/merge-rows.ts'

const id = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '\uFFFD', '😀', '\u{10FFFF}', '\uE000'), maxLength: 3 })
const row = fc.tuple(id, fc.integer({ min: -3, max: 3 })) satisfies fc.Arbitrary<Row>

function compare(one: Row, other: Row): number {
  return compareText(one[0] as string, other[0] as string) || (one[1] as number) - (other[1] as number)
}

async function* inBatches(rows: readonly Row[], size: number): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

async function collect(batches: AsyncGenerator<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

test('texts are compared as their bytes in UTF-8', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      expect(Math.sign(compareText(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)))
    }),
  )
})

test('merging two orders gives one, whatever the batches are', async () => {
  const rows = fc.array(row, { maxLength: 20 }).map((unordered) => unordered.toSorted(compare))
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 6 }), async (one, other, size) => {
      const merged = await collect(mergeRows(inBatches(one, size), inBatches(other, 7 - size), [0, 1]))
      expect(merged).toEqual([...one, ...other].toSorted(compare))
    }),
  )
})

test('rows out of order are an error, and both sides are ended', async () => {
  const ended: string[] = []
  async function* side(name: string, batches: readonly (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
    try {
      yield* batches
    } finally {
      ended.push(name)
    }
  }
  const one = side('one', [[['b', 1]], [['a', 1]]])
  const other = side('other', [[['x', 1]], [['y', 1]], [['z', 1]]])
  await expect(collect(mergeRows(one, other, [0, 1]))).rejects.toThrow('out of order')
  expect(ended.sort()).toEqual(['one', 'other'])
})
