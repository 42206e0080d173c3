import { tableFromIPC } from 'apache-arrow'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, Column, ColumnType, Row, Scalar } from '../../src/records/column.ts'
import { createArrowEncoder } from '../../src/sinks/arrow.ts'
import { hostileText, rows as arbitraryRows } from './arbitrary-cells.ts'
import { column, everyColumn, everyRow } from './every-type.ts'

it('reads back as the cells', () => {
  const encode = createArrowEncoder(everyColumn)
  const text = hostileText(['\0', '\uD800', '\uDC00']) // this reader drops a byte order mark
  fc.assert(
    fc.property(arbitraryRows(everyColumn, text), (rows) => {
      expect(decode(everyColumn, encode(rows))).toEqual(rows.map(toWellFormed))
    }),
  )
})

it('has the types and the order of the columns, all of them nullable', () => {
  const { schema } = tableFromIPC(createArrowEncoder(everyColumn)([]))
  expect(schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable])).toEqual(
    everyColumn.map(({ name, type, list }) => [name, list ? `List<${arrowType(type)}>` : arrowType(type), true]),
  )
})

it('counts the nulls, and writes no validity where there are none', () => {
  const rows: Row[] = Array.from({ length: 20 }, (_, index) => [index % 3 === 0 ? null : index, index])
  const table = tableFromIPC(createArrowEncoder([column('a', 'integer'), column('b', 'integer')])(rows))
  expect(table.getChild('a')?.nullCount).toBe(7)
  expect(table.getChild('b')?.data[0]?.nullBitmap?.byteLength ?? 0).toBe(0)
})

it('has a batch of no rows for no rows', () => {
  const table = tableFromIPC(createArrowEncoder(everyColumn)([]))
  expect(table.numRows).toBe(0)
  expect(table.numCols).toBe(everyColumn.length)
})

it('leaves what it returned alone when it is called again', () => {
  const encode = createArrowEncoder(everyColumn)
  const first = encode(everyRow)
  const before = Buffer.from(first)
  encode(everyRow.toReversed())
  expect(Buffer.from(first)).toEqual(before)
  expect(first.buffer.byteLength).toBe(first.byteLength)
})

it('holds text of many lengths, longer than what it expected', () => {
  const texts = Array.from({ length: 200 }, (_, index) => ['a', 'é', '€', '😀'][index % 4]?.repeat(index * 7) ?? '')
  const only = [column('a', 'text')]
  expect(decode(only, createArrowEncoder(only)(texts.map((text) => [text])))).toEqual(texts.map((text) => [text]))
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
  ])('of %s ends the run: %o %s', (expected, type, value) => {
    expect(() => createArrowEncoder([column('price', type)])([[value]])).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED', message: expect.stringMatching(`"price".*${expected}`) }),
    )
  })
})

function decode(columns: readonly Column[], bytes: Uint8Array): Cell[][] {
  const table = tableFromIPC(bytes)
  return Array.from({ length: table.numRows }, (_, row) =>
    columns.map(({ type, list }, index) => {
      const value: unknown = table.getChildAt(index)?.get(row)
      if (value === null || !list) return toCell(type, value)
      return Array.from(value as Iterable<unknown>, (element) => toCell(type, element))
    }),
  )
}

function toCell(type: ColumnType, value: unknown): Scalar {
  if (value === null) return null
  switch (type.kind) {
    case 'integer':
      return toSmallest(value as bigint)
    case 'date':
      return Number(value) / 86_400_000
    case 'decimal':
      return toSmallest(fromWords(value as Uint32Array))
    case 'text':
    case 'json':
    case 'float':
    case 'boolean':
    case 'timestamp':
      return value as Scalar
  }
}

function fromWords(words: Uint32Array): bigint {
  return BigInt.asIntN(
    128,
    words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  )
}

function toSmallest(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** UTF-8 has no lone surrogates. */
function toWellFormed(row: Row): Cell[] {
  return row.map((cell) => (Array.isArray(cell) ? cell.map(throughUtf8) : throughUtf8(cell as Scalar)))
}

function throughUtf8(value: Scalar): Scalar {
  return typeof value === 'string' ? Buffer.from(value).toString() : value
}

function arrowType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return 'Utf8'
    case 'integer':
      return 'Int64'
    case 'float':
      return 'Float64'
    case 'boolean':
      return 'Bool'
    case 'timestamp':
      return 'Timestamp<MILLISECOND, UTC>'
    case 'date':
      return 'Date32<DAY>'
    case 'decimal':
      return `Decimal[${type.precision}e+${type.scale}]`
  }
}
