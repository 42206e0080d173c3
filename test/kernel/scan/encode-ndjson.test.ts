import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { ndjsonPiece } from '../../../src/kernel/program/block-layout.ts'
import { createTableEncoder } from '../../../src/kernel/scan/table-encoder.ts'
import { createNdjsonEncoder } from '../../../src/formats/ndjson.ts'
import { column, everyRow } from '../../formats/every-type.ts'
import { cases } from '../../depth.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

it('rows encoded as NDJSON have the bytes of the reference encoder, for any cells', () => {
  const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
  const { encode: encodeTable } = createTableEncoder(module, tables, 0, [ndjsonPiece], never)
  const plain = createNdjsonEncoder(cellColumns)
  fc.assert(
    fc.property(cellRows, (rows) => {
      fill(rows)
      expect(Buffer.from(encodeTable(openArena())).toString()).toBe(Buffer.from(plain(rows)).toString())
    }),
    { numRuns: cases(500) },
  )
})

it('rows encoded as NDJSON have the bytes of the reference encoder at the ends of every type', () => {
  const rows: Row[] = everyRow.map((row) => [...row, null, null])
  expect(encode(cellColumns, rows)).toBe(plainly(cellColumns, rows))
})

it('rows encoded as NDJSON escape every character below the space, and no other but quote and backslash', () => {
  const texts = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code))
  const columns = [column('a "key"\n', 'text'), column('b', 'text', true)]
  const rows: Row[] = [...texts.map((text): Row => [text, [text, null, text.repeat(20)]]), ['\u2028\u2029', null]]
  expect(encode(columns, rows)).toBe(plainly(columns, rows))
})

it('rows encoded as NDJSON hold the text of json columns on one line', () => {
  const texts = ['{\n "a":1,\r\n "b":[\n\n]}', '[]\n', '\r\n1', '"x"', `[\n${' '.repeat(13)}\n\n\n${' '.repeat(17)}\r]`]
  const columns = [column('a', 'json'), column('b', 'json', true)]
  const rows: Row[] = texts.map((text) => [text, [text, text]])
  expect(encode(columns, rows)).toBe(plainly(columns, rows))
})

it('rows encoded as NDJSON are whole if the output region has to grow', () => {
  const rows = Array.from({ length: 50 }, (_, index): Row => ['\u0001'.repeat(index * 97)])
  const columns = [column('a', 'text')]
  expect(encode(columns, rows)).toBe(plainly(columns, rows))
})

it.each([NaN, Infinity, -Infinity])('rows encoded as NDJSON refuse %d as the reference encoder does', (value) => {
  const columns = [column('a', 'float')]
  const { tables, module, fill, openArena } = openTables(columns)
  fill([[1], [value]])
  expect(() =>
    createTableEncoder(module, tables, 0, [ndjsonPiece], createNdjsonEncoder(columns)).encode(openArena()),
  ).toThrow('expected a finite number')
})

it('rows encoded as NDJSON show minus zero as the reference encoder does', () => {
  expect(encode([column('a', 'float')], [[-0], [-0.5]])).toBe('{"a":0}\n{"a":-0.5}\n')
})

function encode(columns: readonly Column[], rows: readonly Row[]): string {
  const { tables, module, fill, openArena } = openTables(columns)
  fill(rows)
  const bytes = createTableEncoder(module, tables, 0, [ndjsonPiece], never).encode(openArena())
  return Buffer.from(bytes).toString()
}

function plainly(columns: readonly Column[], rows: readonly Row[]): string {
  return Buffer.from(createNdjsonEncoder(columns)(rows)).toString()
}

function never(): never {
  throw new Error('the reference encoder was called')
}
