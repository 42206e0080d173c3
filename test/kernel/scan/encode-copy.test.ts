import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { copyPiece } from '../../../src/kernel/program/block-layout.ts'
import { createTableEncoder } from '../../../src/kernel/scan/table-encoder.ts'
import { createCopyTextEncoder } from '../../../src/formats/copy-text.ts'
import { column, everyRow } from '../../formats/every-type.ts'
import { cases } from '../../depth.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

describe('rows encoded as COPY text', () => {
  it('rows encoded as COPY text have the bytes of the reference encoder, for any cells', () => {
    const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
    const { encode: encodeTable } = createTableEncoder(module, tables, 0, [copyPiece], never)
    const plain = createCopyTextEncoder(cellColumns, 'cells')
    fc.assert(
      fc.property(cellRows.map(withoutNul), (rows) => {
        fill(rows)
        expect(Buffer.from(encodeTable(openArena())).toString()).toBe(Buffer.from(plain(rows)).toString())
      }),
      { numRuns: cases(800) },
    )
  })

  it('rows encoded as COPY text have the bytes of the reference encoder at the ends of every type', () => {
    const rows: Row[] = everyRow.map((row) => [...row, null, null])
    expect(encode(cellColumns, rows)).toBe(plainly(cellColumns, rows))
  })

  it('rows encoded as COPY text keep the sign of a zero', () => {
    const columns = [column('a', 'float'), column('b', 'float', true)]
    expect(encode(columns, [[-0, [-0, 0]]])).toBe('-0\t{-0,0}\n')
  })

  it('rows encoded as COPY text escape each sign at every position around the sixteen bytes that are read at once', () => {
    const columns = [column('a', 'text'), column('b', 'text', true)]
    const signs = ['\\', '"', '\n', '\r', '\t', '\b', '\v', '\f', '{', ',', '\u0001', 'é']
    const rows = signs.flatMap((sign) =>
      Array.from({ length: 35 }, (_, length): Row => {
        const text = 'x'.repeat(length) + sign
        return [text + text, [text, null, '', sign.repeat(length)]]
      }),
    )
    expect(encode(columns, rows)).toBe(plainly(columns, rows))
  })

  it('rows encoded as COPY text are whole if the output region has to grow, and have a buffer of their own', () => {
    const columns = [column('a', 'text'), column('b', 'text', true)]
    const rows = Array.from({ length: 50 }, (_, index): Row => [
      '\\'.repeat(index * 97),
      ['\\'.repeat(index * 61), null],
    ])
    expect(encode(columns, rows)).toBe(plainly(columns, rows))
  })
})

it.each([
  ['the character NUL', 'text', 'a\0b'],
  ['a date-time beyond the year 9999', 'timestamp', 253_402_300_800_000],
] as const)('COPY text of %s is left to the reference encoder', (_what, type, value) => {
  const columns = [column('a', type)]
  const { tables, module, fill, openArena } = openTables(columns)
  fill([[value]])
  expect([
    ...createTableEncoder(module, tables, 0, [copyPiece], () => new Uint8Array([7])).encode(openArena()),
  ]).toEqual([7])
})

function withoutNul(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    row.map((cell) => (Array.isArray(cell) ? cell.map(cleanScalar) : cleanScalar(cell as Scalar))),
  )
}

function cleanScalar(value: Scalar): Scalar {
  return typeof value === 'string' ? value.replaceAll('\0', '\b') : value
}

function encode(columns: typeof cellColumns, rows: readonly Row[]): string {
  const { tables, module, fill, openArena } = openTables(columns, isSeconds)
  fill(rows)
  const bytes = createTableEncoder(module, tables, 0, [copyPiece], never).encode(openArena())
  return Buffer.from(bytes).toString()
}

function plainly(columns: typeof cellColumns, rows: readonly Row[]): string {
  return Buffer.from(createCopyTextEncoder(columns, 'cells')(rows)).toString()
}

function never(): never {
  throw new Error('the reference encoder was called')
}
