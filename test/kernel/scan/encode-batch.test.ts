import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { batchPiece } from '../../../src/kernel/program/block-layout.ts'
import { createTableEncoder } from '../../../src/kernel/scan/table-encoder.ts'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { column, everyRow } from '../../formats/every-type.ts'
import { readBatchRows } from '../../formats/parquet/read-batch-rows.ts'
import { cases } from '../../depth.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

describe('an encoded batch', () => {
  it('an encoded batch has the bytes of the reference encoder, for any cells', () => {
    const plain = createRecordBatchEncoder(cellColumns)
    const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
    const { encode: encodeTable } = createTableEncoder(module, tables, 0, [batchPiece], never)
    fc.assert(
      fc.property(cellRows, (rows) => {
        fill(rows)
        const batch = encodeTable(openArena())
        expect(readBatchRows(cellColumns, batch)).toEqual(rows)
        expect(Buffer.compare(batch, plain(rows))).toBe(0)
      }),
      { numRuns: cases(200) },
    )
  })

  it('an encoded batch has the bytes of the reference encoder at the ends of every type', () => {
    const rows = everyRow.map((row) => [...row, null, null])
    expect(differs(cellColumns, rows)).toBe(false)
  })

  it('an encoded batch has the bytes of the reference encoder without rows', () => {
    expect(differs(cellColumns, [])).toBe(false)
  })

  it('an encoded batch has the bytes of the reference encoder for any number of rows, even if the output region has to grow', () => {
    const columns = [
      column('a', 'text'),
      column('b', 'boolean'),
      column('c', 'text', true),
      column('d', 'boolean', true),
    ]
    for (const count of [1, 7, 8, 9, 15, 16, 17, 100, 1000]) {
      const rows = Array.from({ length: count }, (_, index): Row => {
        const text = 'x'.repeat(index % 300)
        return [
          index % 7 === 3 ? null : text,
          index % 3 === 0,
          [text, null],
          index % 5 === 0 ? null : [true, false, null],
        ]
      })
      expect(differs(columns, rows)).toBe(false)
    }
  })

  it('an encoded batch has the bytes of the reference encoder for any number of columns, even if the region of their program has to grow', () => {
    for (const count of [1, 2, 3, 10, 4000]) {
      const columns = Array.from({ length: count }, (_, index) => column(`column_${index}`, 'integer'))
      const rows = [columns.map((_, index) => index), columns.map(() => null)]
      expect(differs(columns, rows)).toBe(false)
    }
  })

  it('an encoded batch holds every float exactly, minus zero included', () => {
    const columns = [column('a', 'float')]
    const { tables, module, fill, openArena } = openTables(columns)
    const { encode: encodeTable } = createTableEncoder(module, tables, 0, [batchPiece], never)
    const unusual = [-0, 0, 5e-324, 1.7976931348623157e308, 2 ** 53, 2 ** 53 + 2, 1e21, 1e22, 1e23, 123456789012345680]
    const float = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1e9 }).map((value) => Math.round(value * 100) / 100),
    )
    fc.assert(
      fc.property(fc.array(float, { maxLength: 100 }), (values) => {
        const rows = [...values, ...unusual].map((value) => [value])
        fill(rows)
        expect(readBatchRows(columns, encodeTable(openArena()))).toStrictEqual(rows)
      }),
    )
  })
})

describe('a value that does not fit its column', () => {
  it.each<[string, ColumnType, Scalar]>([
    ['64 bits', { kind: 'integer' }, 2n ** 63n],
    ['64 bits', { kind: 'integer' }, -(2n ** 63n) - 1n],
    ['64 bits', { kind: 'integer' }, 10n ** 30n],
    ['at most 4 digits', { kind: 'decimal', precision: 4, scale: 2 }, -10_000],
    ['at most 38 digits', { kind: 'decimal', precision: 38, scale: 0 }, 10n ** 38n],
  ])('a value that does not fit its column of %s ends the run: %o %s', (expected, type, value) => {
    const columns = [column('price', type)]
    const { tables, module, fill, openArena } = openTables(columns)
    fill([[value]])
    expect(() =>
      createTableEncoder(module, tables, 0, [batchPiece], createRecordBatchEncoder(columns)).encode(openArena()),
    ).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED', message: expect.stringMatching(`"price".*${expected}`) }),
    )
  })
})

/** True if a batch does not have the bytes of the reference encoder. */
function differs(columns: readonly Column[], rows: readonly Row[]): boolean {
  const { tables, module, fill, openArena } = openTables(columns, isSeconds)
  fill(rows)
  const batch = createTableEncoder(module, tables, 0, [batchPiece], never).encode(openArena())
  return Buffer.compare(batch, createRecordBatchEncoder(columns)(rows)) !== 0
}

function never(): never {
  throw new Error('the reference encoder was called')
}
