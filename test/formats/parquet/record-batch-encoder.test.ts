import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, Row } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { rows as arbitraryRows } from '../arbitrary-cells.ts'
import { column, everyColumn, everyRow } from '../every-type.ts'
import { listBuffers, readBatchRows } from './read-batch-rows.ts'

describe('an encoded record batch', () => {
  it('an encoded record batch reads back as the cells', () => {
    const encode = createRecordBatchEncoder(everyColumn)
    fc.assert(
      fc.property(arbitraryRows(everyColumn), (rows) => {
        expect(readBatchRows(everyColumn, encode(rows))).toEqual(rows.map(toWellFormed))
      }),
    )
  })

  it('an encoded record batch reads back at the ends of every type', () => {
    expect(readBatchRows(everyColumn, createRecordBatchEncoder(everyColumn)(everyRow))).toEqual(everyRow)
  })

  it('an encoded record batch has no rows for no rows', () => {
    expect(readBatchRows(everyColumn, createRecordBatchEncoder(everyColumn)([]))).toEqual([])
    expect(readBatchRows([], createRecordBatchEncoder([])([[], []]))).toEqual([[], []])
  })

  it('an encoded record batch stays as it is when its encoder is called again, in a buffer of its own', () => {
    const encode = createRecordBatchEncoder(everyColumn)
    const first = encode(everyRow)
    const before = Buffer.from(first)
    encode(everyRow.toReversed())
    expect(Buffer.from(first)).toEqual(before)
    expect(first.buffer.byteLength).toBe(first.byteLength)
  })

  it('an encoded record batch holds texts of many lengths, also longer than expected', () => {
    const rows = Array.from({ length: 200 }, (_, index) => [['a', 'é', '€', '😀'][index % 4]?.repeat(index * 7) ?? ''])
    const only = [column('a', 'text')]
    expect(readBatchRows(only, createRecordBatchEncoder(only)(rows))).toEqual(rows)
  })

  it('an encoded record batch keeps the sign of zero, and NaN', () => {
    const only = [column('a', 'float')]
    const rows = [[-0], [0], [NaN], [-Infinity], [Infinity]]
    expect(readBatchRows(only, createRecordBatchEncoder(only)(rows))).toStrictEqual(rows)
  })
})

describe('the bytes of a record batch', () => {
  it('the bytes of a record batch are those of the format', () => {
    const columns = [column('a', 'text'), column('b', 'date', true), column('c', 'boolean')]
    const rows: Row[] = [
      ['é', [1, null], true],
      [null, null, false],
      ['b', [-1], true],
    ]
    const bytes = Buffer.from(createRecordBatchEncoder(columns)(rows))
    expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]).toEqual([3, bytes.length])
    expect(Array.from({ length: 9 }, (_, at) => [8, 12].map((from) => bytes.readUInt32LE(at * 8 + from)))).toEqual([
      [80, 1],
      [96, 16],
      [112, 3],
      [128, 1],
      [144, 16],
      [160, 1],
      [176, 12],
      [192, 0],
      [192, 1],
    ])
    expect(bytes.length).toBe(208)
    expect(listBuffers(columns, bytes).map((buffer) => buffer.toString('hex'))).toEqual([
      '05',
      '00000000020000000200000003000000',
      'c3a962',
      '05',
      '00000000020000000200000003000000',
      '05',
      '0100000000000000ffffffff',
      '',
      '05',
    ])
  })

  it('the bytes of a record batch are zero in every gap', () => {
    const columns = everyColumn.filter(({ list }) => !list)
    const batch = createRecordBatchEncoder(columns)([everyRow[0]?.filter((_, index) => index % 2 === 0) ?? [], []])
    const onlyNulls = createRecordBatchEncoder(columns)([columns.map(() => null)])
    expect(readBatchRows(columns, batch)[1]).toEqual(columns.map(() => null))
    const head = Buffer.from(onlyNulls).subarray(8 + listBuffers(columns, onlyNulls).length * 8)
    expect(head.every((byte) => byte === 0)).toBe(true)
  })

  it('the bytes of a record batch have no validity if there are no nulls', () => {
    const columns = [column('a', 'integer'), column('b', 'integer')]
    const rows: Row[] = Array.from({ length: 20 }, (_, index) => [index % 3 === 0 ? null : index, index])
    const lengths = listBuffers(columns, createRecordBatchEncoder(columns)(rows)).map(({ length }) => length)
    expect(lengths).toEqual([3, 160, 0, 160])
  })
})

describe('a value that does not fit its column', () => {
  it.each<[string, ColumnType, Scalar]>([
    ['64 bits', { kind: 'integer' }, 2n ** 63n],
    ['64 bits', { kind: 'integer' }, 1.5],
    ['64 bits', { kind: 'integer' }, 2 ** 53],
    ['64 bits', { kind: 'timestamp' }, 0.5],
    ['at most 4 digits', { kind: 'decimal', precision: 4, scale: 2 }, 10_000],
    ['at most 4 digits', { kind: 'decimal', precision: 4, scale: 2 }, -10_000n],
    ['at most 38 digits', { kind: 'decimal', precision: 38, scale: 0 }, 10n ** 38n],
    ['at most 4 digits', { kind: 'decimal', precision: 4, scale: 2 }, 0.5],
  ])('a value that does not fit its column of %s ends the run: %o %s', (expected, type, value) => {
    expect(() => createRecordBatchEncoder([column('price', type)])([[value]])).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED', message: expect.stringMatching(`"price".*${expected}`) }),
    )
  })
})

/** UTF-8 has no lone surrogates. */
function toWellFormed(row: Row): Cell[] {
  return row.map((cell) => (Array.isArray(cell) ? cell.map(throughUtf8) : throughUtf8(cell as Scalar)))
}

function throughUtf8(value: Scalar): Scalar {
  return typeof value === 'string' ? Buffer.from(value).toString() : value
}
