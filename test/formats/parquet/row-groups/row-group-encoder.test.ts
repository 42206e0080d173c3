import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecordBatchEncoder } from '../../../../src/formats/parquet/record-batch-encoder.ts'
import { createRowGroupEncoder } from '../../../../src/formats/parquet/row-group-encoder.ts'
import type { Column, Row } from '../../../../src/records/flatten/column.ts'
import { MemorySpace } from '../../../../src/records/memory/memory-space.ts'
import { column, everyColumn, everyRow } from '../../every-type.ts'
import { cases } from '../../../depth.ts'
import { rowsOf } from '../arbitrary-table.ts'
import { checkChunks } from '../check-chunks.ts'
import { toRowGroup, type WholeBatch } from './row-group.ts'
import { writeParquet } from '../write-parquet.ts'

const toBatch = createRecordBatchEncoder(everyColumn)

describe('a row group of the same rows', () => {
  const cutRowLists = fc.record({ rows: rowsOf(everyColumn, 60), ends: fc.array(fc.nat(60), { maxLength: 5 }) })

  it('a row group of the same rows is the same in batches of any size, cut or whole, and after any other row group', async () => {
    await fc.assert(
      fc.asyncProperty(cutRowLists, async ({ rows, ends }) => {
        const [used, fresh] = await Promise.all(['zstd', 'zstd'].map(() => createRowGroupEncoder(everyColumn, 'zstd')))
        const batches = cutRows(rows, ends).map((part) => wholeBatch(everyColumn, part))
        const first = await used?.(toRowGroup(batches, rows.length))
        await used?.(toRowGroup([wholeBatch(everyColumn, everyRow)], everyRow.length))
        const [from, to] = [everyRow.length, everyRow.length + rows.length]
        const within = { bytes: toBatch([...everyRow, ...rows, ...everyRow]), from, to }
        expect(await used?.(toRowGroup([within], rows.length))).toEqual(first)
        expect(await fresh?.(toRowGroup([wholeBatch(everyColumn, rows)], rows.length))).toEqual(first)
      }),
      { numRuns: cases(25) },
    )
  })

  it('a row group leaves its batches as they were', async () => {
    const encode = await createRowGroupEncoder(everyColumn, 'snappy')
    const batch = wholeBatch(everyColumn, everyRow)
    const before = new Uint8Array(batch.bytes)
    await encode(toRowGroup([batch], everyRow.length))
    expect(batch.bytes).toEqual(before)
  })
})

describe('a row group', () => {
  it('a row group can be sent to another thread, with its bytes', async () => {
    const encode = await createRowGroupEncoder(everyColumn, 'none')
    const group = await encode(toRowGroup([wholeBatch(everyColumn, everyRow)], everyRow.length))
    expect(group.bytes.byteLength).toBe(group.bytes.buffer.byteLength)
    const bytes = new Uint8Array(group.bytes)
    expect(structuredClone(group, { transfer: [group.bytes.buffer] })).toEqual({ ...group, bytes })
    // Nothing that comes with it is a view of something large.
    const buffers = group.columns.flatMap(({ bounds, pages }) => [bounds, ...pages.map((page) => page.bounds)])
    for (const { min, max } of buffers.filter((bounds) => bounds !== null)) {
      expect(min.buffer.byteLength + max.buffer.byteLength).toBe(min.byteLength + max.byteLength)
    }
  })

  it('a row group without rows has a page of none for each column', async () => {
    const encode = await createRowGroupEncoder(everyColumn, 'none')
    const { columns, rows } = await encode(toRowGroup([], 0))
    expect([rows, columns.length]).toEqual([0, everyColumn.length])
    expect(new Set(columns.map(({ values, pages }) => `${values} ${pages.length}`))).toEqual(new Set(['0 1']))
  })
})

describe('the memory of the row group encoder', () => {
  const space = new MemorySpace()
  const columns = [column('id', 'integer'), column('text', 'text'), column('list', 'text', true)]
  const rows = Array.from({ length: 3000 }, (_, id): Row => [id, `text ${id * 7919}`.repeat(5), ['a', `${id}`]])
  const batches = [wholeBatch(columns, rows)]

  it('the memory of the row group encoder does not grow from row group to row group, nor from file to file', async () => {
    const encode = await createRowGroupEncoder(columns, 'gzip', space)
    await encode(toRowGroup(batches, rows.length))
    const before = space.bytes.length
    for (let file = 0; file < 5; file++) {
      const encodeNext = await createRowGroupEncoder(columns, 'gzip', space)
      for (let group = 0; group < 3; group++) await encodeNext(toRowGroup(batches, rows.length))
    }
    expect(space.bytes.length).toBe(before)
  })

  it('the memory of the row group encoder is freed also by a row group that is refused', async () => {
    const encode = await createRowGroupEncoder(columns, 'none', space)
    const other = wholeBatch(everyColumn, everyRow)
    const before = space.bytes.length
    for (let repeat = 0; repeat < 3; repeat++) {
      await expect(encode(toRowGroup([...batches, other], rows.length + everyRow.length))).rejects.toThrow('batch')
      expect(space.bytes.length).toBe(before)
    }
  })
})

describe('a row group that takes more memory than usual', () => {
  it('a row group of thousands of columns is encoded as any other', async () => {
    const columns = Array.from({ length: 3000 }, (_, index) => column(`c${index}`, 'text', index % 2 === 1))
    const rows = [columns.map(({ list, name }) => (list ? [name.repeat(20), null] : name.repeat(20)))]
    expect(
      checkChunks(columns, [...rows, ...rows], await writeParquet(columns, [rows, rows], { rowGroupRows: 1 })),
    ).toEqual([])
  })

  it('a row group of one column of long texts is encoded as any other', async () => {
    const columns = [column('a', 'text')]
    const rows = Array.from({ length: 20 }, (_, index): Row => [String(Math.sin(index)).repeat(20_000)])
    for (const compression of ['zstd', 'snappy', 'gzip', 'none'] as const) {
      expect(checkChunks(columns, rows, await writeParquet(columns, [rows], { compression }))).toEqual([])
    }
  })
})

describe('a row group of other columns', () => {
  const columns = [column('id', 'integer'), column('name', 'text')]
  const refused = expect.objectContaining({ code: 'OUTPUT_FAILED' })
  const good = wholeBatch(columns, [[1, 'a']])

  it.each([
    ['a batch of other columns', wholeBatch(columns.toReversed(), [['a', 1]]).bytes],
    ['zeros', new Uint8Array(100)],
    ['nothing', new Uint8Array()],
    ['a batch that is cut', new Uint8Array(good.bytes.subarray(0, -16))],
  ])('a row group of other columns is refused: %s', async (_, bytes) => {
    const encode = await createRowGroupEncoder(columns, 'none')
    await expect(encode(toRowGroup([good, { bytes, from: 0, to: 1 }], 2))).rejects.toThrow(refused)
  })

  it('a row group that lacks rows is refused', async () => {
    const encode = await createRowGroupEncoder(columns, 'none')
    await expect(encode(toRowGroup([good], 2))).rejects.toThrow('a row group lacks rows, expected 2, got 1')
  })
})

function wholeBatch(columns: readonly Column[], rows: readonly Row[]): WholeBatch {
  return { bytes: createRecordBatchEncoder(columns)(rows), from: 0, to: rows.length }
}

/** Parts of all rows, in their order. */
function cutRows(rows: readonly Row[], ends: readonly number[]): Row[][] {
  const cuts = [0, ...ends.map((end) => Math.min(end, rows.length)).sort((a, b) => a - b), rows.length]
  return cuts.slice(1).map((end, index) => rows.slice(cuts[index], end))
}
