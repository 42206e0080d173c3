import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column, Row } from '../../../../src/records/flatten/column.ts'
import { releaseChunks } from '../../../../src/records/memory/chunk-buffer.ts'
import { createRecordBatchEncoder } from '../../../../src/formats/parquet/record-batch-encoder.ts'
import { createRowGroupEncoder } from '../../../../src/formats/parquet/row-group-encoder.ts'
import { createRowGroupFile } from '../../../../src/formats/parquet/row-group-file.ts'
import {
  type RowGroup,
  RowGroupCutter,
  type RowGroupLimits,
  shareRowGroupBytes,
} from '../../../../src/formats/parquet/row-group-cutter.ts'
import { column, everyColumn, everyRow } from '../../every-type.ts'
import { queryDuckDb } from '../../query-duckdb.ts'
import { withScratchFile } from '../../../storage/scratch-file.ts'
import { cases } from '../../../depth.ts'
import { readBatchRows } from '../read-batch-rows.ts'
import { fromRowGroup } from './row-group.ts'

const columns = [column('id', 'integer')]
const encode = createRecordBatchEncoder(columns)
const toBatch = (start: number, rows: number) => encode(Array.from({ length: rows }, (_, row) => [start + row]))
const unlimited = 2 ** 40

describe('cut row groups', () => {
  it('cut row groups have rowGroupRows rows in their order, wherever the batches end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (counts, rowGroupRows) => {
        let total = 0
        const batches = counts.map((rows) => toBatch((total += rows) - rows, rows))
        const groups = cut(batches, { rowGroupRows, rowGroupBytes: unlimited })
        const last = total % rowGroupRows
        const full = Array.from({ length: Math.floor(total / rowGroupRows) }, () => rowGroupRows)
        expect(groups.map(({ rows }) => rows)).toEqual(last > 0 ? [...full, last] : full)
        expect(groups.map((group) => readGroupRows(columns, group).length)).toEqual(groups.map(({ rows }) => rows))
        const ids = groups.flatMap((group) => readGroupRows(columns, group).map(([id]) => id))
        expect(ids).toEqual(Array.from({ length: total }, (_, id) => id))
      }),
      { numRuns: cases(40) },
    )
  })

  it('cut row groups end after the batch that makes them large, which is not cut', () => {
    const batches = Array.from({ length: 10 }, (_, index) => toBatch(index, 100))
    const bytes = batches[0]?.length ?? 0
    const limits = { rowGroupRows: 1_000_000, rowGroupBytes: bytes * 2 + 1 }
    expect(cut(batches, limits).map(({ rows }) => rows)).toEqual([300, 300, 300, 100])
    const single = cut(batches, { ...limits, rowGroupBytes: 1 })
    expect(single.map(({ rows }) => rows)).toEqual(batches.map(() => 100))
    expect(single.flatMap(fromRowGroup)).toEqual(
      batches.map((batch) => ({ bytes: Buffer.from(batch), from: 0, to: 100 })),
    )
  })

  it('cut row groups count only their share of a batch that is divided', () => {
    const batches = [toBatch(0, 1000), toBatch(1000, 100)]
    const limits = { rowGroupRows: 900, rowGroupBytes: batches[0]?.length ?? 0 }
    expect(cut(batches, limits).map(({ rows }) => rows)).toEqual([900, 200])
  })

  it('row groups hold whole batches if no cut is needed, and there is none without rows', () => {
    const batches = [toBatch(0, 5), toBatch(5, 0), toBatch(5, 5)]
    const [group, ...others] = cut(batches, { rowGroupRows: 10, rowGroupBytes: unlimited })
    expect(others).toEqual([])
    expect(group?.batches.map(({ from, to }) => [from, to])).toEqual([
      [0, 5],
      [0, 5],
    ])
    expect(Buffer.concat(group?.bytes ?? [])).toEqual(Buffer.concat([batches[0]!, batches[2]!]))
  })

  it('cut row groups have a copy each of a batch that is divided, made when they are taken', () => {
    const cutter = new RowGroupCutter({ rowGroupRows: 3, rowGroupBytes: unlimited })
    const ids: unknown[] = []
    const take = (group: RowGroup) => {
      ids.push(...readGroupRows(columns, group).flat())
      // As others are given the memory.
      for (const bytes of group.bytes) bytes.fill(0xff)
      releaseChunks(group.bytes)
    }
    for (const group of cutter.add(toBatch(0, 10))) take(group)
    for (const group of cutter.end()) take(group)
    expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('cut row groups are none without rows', () => {
    expect(cut([], { rowGroupRows: 1, rowGroupBytes: 1 })).toEqual([])
    expect(cut([toBatch(0, 0)], { rowGroupRows: 1, rowGroupBytes: 1 })).toEqual([])
  })

  it('cut row groups hold the same values wherever they are cut', async () => {
    const batches = [everyRow, everyRow.toReversed(), everyRow].map(createRecordBatchEncoder(everyColumn))
    const fileOptions = { columns: everyColumn, compression: 'none', metadata: {} } as const
    const read = async (rowGroupRows: number) => {
      const chunks: Uint8Array[] = []
      const file = createRowGroupFile({ ...fileOptions, write: async (bytes) => void chunks.push(bytes) })
      const encodeGroup = await createRowGroupEncoder(everyColumn, fileOptions.compression)
      for (const group of cut(batches, { rowGroupRows, rowGroupBytes: unlimited }))
        await file.append(await encodeGroup(group))
      await file.finish('')
      return withScratchFile(Buffer.concat(chunks), (path) => queryDuckDb(`SELECT * FROM read_parquet('${path}')`))
    }
    const whole = await read(100)
    expect(whole).toHaveLength(everyRow.length * 3)
    for (const rowGroupRows of [1, 2, 4, 5]) expect(await read(rowGroupRows)).toEqual(whole)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['bytes that are no batch', new Uint8Array(100)],
  ])('cut row groups are not made of %s', (_, bytes) => {
    expect(() => cut([bytes], { rowGroupRows: 1, rowGroupBytes: 1 })).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED' }),
    )
  })
})

it('the Parquet files of a run share the memory for unfinished row groups', () => {
  const mebibyte = 1024 * 1024
  expect(shareRowGroupBytes(1)).toBe(8 * mebibyte)
  for (const files of [1, 2, 6, 7, 23, 40]) expect(shareRowGroupBytes(files) * files).toBeLessThanOrEqual(48 * mebibyte)
  expect(shareRowGroupBytes(1000)).toBe(mebibyte)
})

function cut(batches: readonly Uint8Array<ArrayBuffer>[], limits: RowGroupLimits): RowGroup[] {
  const cutter = new RowGroupCutter(limits)
  return [...batches.flatMap((batch) => [...cutter.add(batch)]), ...cutter.end()]
}

function readGroupRows(own: readonly Column[], group: RowGroup): Row[] {
  return fromRowGroup(group).flatMap(({ bytes, from, to }) => readBatchRows(own, bytes).slice(from, to))
}
