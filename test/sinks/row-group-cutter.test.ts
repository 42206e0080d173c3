import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createArrowEncoder } from '../../src/sinks/arrow.ts'
import { parseArrowStream } from '../../src/sinks/arrow-stream.ts'
import { type RowGroup, RowGroupCutter, type RowGroupLimits } from '../../src/sinks/row-group-cutter.ts'
import { shareRowGroupBytes } from '../../src/sinks/parquet/share-row-group-bytes.ts'
import { createRowGroupEncoder } from '../../src/sinks/parquet/row-group-encoder.ts'
import { createRowGroupFile } from '../../src/sinks/parquet/row-group-file.ts'
import { column, everyColumn, everyRow } from './every-type.ts'
import { queryDuckDb } from './query-duckdb.ts'
import { withScratchFile } from './scratch-file.ts'

const encode = createArrowEncoder([column('id', 'integer')])
const toPiece = (start: number, rows: number) => encode(Array.from({ length: rows }, (_, row) => [start + row]))
const unlimited = 2 ** 40

describe('row groups', () => {
  it('have the most rows that they may, wherever the pieces end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (pieces, rowGroupRows) => {
        const groups = cut(
          pieces.map((rows) => toPiece(0, rows)),
          { rowGroupRows, rowGroupBytes: unlimited },
        )
        const total = pieces.reduce((sum, rows) => sum + rows, 0)
        const last = total % rowGroupRows
        const full = Array.from({ length: Math.floor(total / rowGroupRows) }, () => rowGroupRows)
        expect(groups.map(({ rows }) => rows)).toEqual(last > 0 || total === 0 ? [...full, last] : full)
        for (const { pieces: parts, rows } of groups) {
          expect(parts.reduce((sum, piece) => sum + parseArrowStream(piece).rows, 0)).toBe(rows)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('end behind the piece that makes them large, which is not cut', () => {
    const pieces = Array.from({ length: 10 }, (_, index) => toPiece(index, 100))
    const bytes = pieces[0]?.length ?? 0
    const limits = { rowGroupRows: 1_000_000, rowGroupBytes: bytes * 2 + 1 }
    expect(cut(pieces, limits).map(({ rows }) => rows)).toEqual([300, 300, 300, 100])
    expect(cut(pieces, { ...limits, rowGroupBytes: 1 })).toEqual(
      pieces.map((piece) => ({ pieces: [piece], rows: 100 })),
    )
  })

  it('hold the pieces themselves where no cut is needed', () => {
    const pieces = [toPiece(0, 5), toPiece(5, 0), toPiece(5, 5)]
    const [group, ...others] = cut(pieces, { rowGroupRows: 10, rowGroupBytes: unlimited })
    expect(others).toEqual([])
    expect(group?.pieces.map((piece) => pieces.indexOf(piece as never))).toEqual([0, 2])
  })

  it('are one of no rows where there is none', () => {
    expect(cut([], { rowGroupRows: 1, rowGroupBytes: 1 })).toEqual([{ pieces: [], rows: 0 }])
    expect(cut([toPiece(0, 0)], { rowGroupRows: 1, rowGroupBytes: 1 })).toEqual([{ pieces: [], rows: 0 }])
  })

  it('hold the same values wherever they are cut', async () => {
    const pieces = [everyRow, everyRow.toReversed(), everyRow].map(createArrowEncoder(everyColumn))
    const read = async (rowGroupRows: number) => {
      const chunks: Uint8Array[] = []
      const file = createRowGroupFile({ metadata: {}, write: async (bytes) => void chunks.push(bytes) })
      const encodeGroup = createRowGroupEncoder(everyColumn, 'none')
      for (const group of cut(pieces, { rowGroupRows, rowGroupBytes: unlimited })) await file.append(encodeGroup(group))
      await file.finish('')
      return withScratchFile(Buffer.concat(chunks), (path) => queryDuckDb(`SELECT * FROM read_parquet('${path}')`))
    }
    const whole = await read(100)
    expect(whole).toHaveLength(everyRow.length * 3)
    for (const rowGroupRows of [1, 2, 4, 5]) expect(await read(rowGroupRows)).toEqual(whole)
  })
})

it('the files of a run share what waits for the end of a row group', () => {
  const mebibyte = 1024 * 1024
  expect(shareRowGroupBytes(1)).toBe(8 * mebibyte)
  for (const files of [1, 2, 6, 7, 23, 40]) expect(shareRowGroupBytes(files) * files).toBeLessThanOrEqual(48 * mebibyte)
  expect(shareRowGroupBytes(1000)).toBe(mebibyte)
})

function cut(pieces: readonly Uint8Array[], limits: RowGroupLimits): RowGroup[] {
  const cutter = new RowGroupCutter(limits)
  return [...pieces.flatMap((piece) => cutter.add(piece)), ...cutter.end()]
}
