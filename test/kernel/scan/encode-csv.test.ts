import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import { createTableEncoder, toCsvFormat } from '../../../src/kernel/scan/table-encoder.ts'
import { createCsvEncoder, defaultCsvDialect } from '../../../src/formats/csv.ts'
import type { CsvDialect } from '../../../src/manifest/manifest.ts'
import { column, everyRow } from '../../formats/every-type.ts'
import { cases } from '../../depth.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

const known: fc.Arbitrary<CsvDialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|', '^', ']', "'", '\0', '\\'),
  quote: fc.constantFrom('"', '`', '$', "'"),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  lineBreak: fc.constantFrom('lf', 'crlf'),
  escapeFormulas: fc.boolean(),
  header: fc.boolean(),
  listSeparator: fc.constantFrom('|', ',', ' ', '\t', '"'),
  decimalSeparator: fc.constant('.'),
})

const withComma: fc.Arbitrary<CsvDialect> = fc
  .record({
    delimiter: fc.constantFrom(';', '\t', '|'),
    listSeparator: fc.constantFrom('|', ' '),
    quoteAll: fc.boolean(),
  })
  .map((signs) => ({ ...defaultCsvDialect, ...signs, decimalSeparator: ',' }))

const left = fc.record({
  delimiter: fc.constantFrom('-', '.', '0', 'é', ',,', '😀'),
  quote: fc.constantFrom('"', '1', '§'),
  listSeparator: fc.constantFrom('::', '5', '·'),
  decimalSeparator: fc.constant<'.' | ','>('.'),
})

/** A comma as delimiter, and perhaps as list or decimal separator: then lists and fractions need quotes. */
const commas = fc.record({
  delimiter: fc.constant(','),
  quote: fc.constant('"'),
  listSeparator: fc.constantFrom('|', ','),
  decimalSeparator: fc.constant<'.' | ','>(','),
})

describe('rows encoded as CSV', () => {
  it('rows encoded as CSV have the bytes of the reference encoder, for any cells and dialect', () => {
    const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
    fc.assert(
      fc.property(cellRows, fc.oneof(known, withComma), fc.constantFrom(128, 65_536), (rows, dialect, room) => {
        fill(rows)
        const plain = createCsvEncoder(cellColumns, dialect)
        const bytes = createTableEncoder(module, tables, 0, toCsvFormat(dialect), never).encode(openArena(room))
        expect(Buffer.from(bytes).toString()).toBe(Buffer.from(plain(rows)).toString())
      }),
      { numRuns: cases(500) },
    )
  })

  it('rows encoded as CSV have the bytes of the reference encoder for signs that the module does not support', () => {
    const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
    fc.assert(
      fc.property(cellRows, fc.oneof(left, commas), (rows, signs) => {
        fill(rows)
        const dialect = { ...defaultCsvDialect, ...signs }
        const plain = createCsvEncoder(cellColumns, dialect)
        const bytes = createTableEncoder(module, tables, 0, toCsvFormat(dialect), plain).encode(openArena())
        expect(Buffer.from(bytes)).toEqual(Buffer.from(plain(rows)))
      }),
      { numRuns: cases(50) },
    )
  })

  it('rows encoded as CSV have the bytes of the reference encoder at the ends of every type', () => {
    const rows: Row[] = everyRow.map((row) => [...row, null, null])
    expect(encode(cellColumns, rows)).toBe(plainly(cellColumns, rows))
  })

  it.each([-62_135_596_800_001, 253_402_300_800_000])(
    'rows encoded as CSV have the bytes of the reference encoder for the date-time %d',
    (dateTime) => {
      const columns = [column('a', 'text'), column('b', 'timestamp')]
      const rows = [['x', dateTime]]
      const { tables, module, fill, openArena } = openTables(columns)
      fill(rows)
      const bytes = createTableEncoder(
        module,
        tables,
        0,
        toCsvFormat(defaultCsvDialect),
        createCsvEncoder(columns, defaultCsvDialect),
      ).encode(openArena())
      expect(Buffer.from(bytes).toString()).toBe(plainly(columns, rows))
    },
  )

  it('rows encoded as CSV are whole if an arena has no room for them, and have a buffer of their own', () => {
    const columns = [column('a', 'text'), column('b', 'text', true)]
    const rows = Array.from({ length: 50 }, (_, index): Row => [
      '"'.repeat(index * 97),
      ['\\'.repeat(index * 31), null],
    ])
    expect(encode(columns, rows)).toBe(plainly(columns, rows))
  })

  it('rows encoded as CSV name the right day and second at both ends of months from the year 1 to 9999', () => {
    const columns = [column('a', 'date'), column('seconds', 'timestamp'), column('b', 'timestamp')]
    // 7 months from one to the next: every month of leap years and others
    const firsts = Array.from({ length: 17_140 }, (_, step) => Date.UTC(4000, step * 7 - 3999 * 12 + 1))
    const rows = firsts.map((first): Row => [first / 86_400_000, first - 1000, first - 1])
    expect(encode(columns, rows)).toBe(plainly(columns, rows))
  })

  it('rows encoded as CSV show minus zero as the reference encoder does', () => {
    const columns = [column('a', 'float')]
    expect(encode(columns, [[-0]])).toBe('0\n')
  })
})

function encode(columns: typeof cellColumns, rows: readonly Row[]): string {
  const { tables, module, fill, openArena } = openTables(columns, isSeconds)
  fill(rows)
  const bytes = createTableEncoder(module, tables, 0, toCsvFormat(defaultCsvDialect), never).encode(openArena())
  return Buffer.from(bytes).toString()
}

function plainly(columns: typeof cellColumns, rows: readonly Row[]): string {
  return Buffer.from(createCsvEncoder(columns, defaultCsvDialect)(rows)).toString()
}

function never(): never {
  throw new Error('the reference encoder was called')
}
