import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, Column, Row } from '../../src/records/flatten/column.ts'
import type { Scalar } from '../../src/types/column-type-definition.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../src/formats/csv.ts'
import type { CsvDialect } from '../../src/manifest/manifest.ts'
import { cases } from '../depth.ts'
import { hostileText, rows as arbitraryRows } from './arbitrary-cells.ts'
import { column, everyColumn, everyRow } from './every-type.ts'

const dialects: fc.Arbitrary<CsvDialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|', '-', '.', '0', 'Z', '^', ']'),
  quote: fc.constantFrom('"', '`', '$'),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  lineBreak: fc.constantFrom('lf', 'crlf'),
  escapeFormulas: fc.boolean(),
  header: fc.boolean(),
  listSeparator: fc.constantFrom('|', ',', ' '),
  decimalSeparator: fc.constantFrom('.', ','),
})

describe('the bytes of CSV', () => {
  it('the bytes of CSV are those of csv-stringify, whatever the cells and the dialect', () => {
    const names = fc.tuple(...everyColumn.map(() => hostileText().filter((name) => name !== '')))
    fc.assert(
      fc.property(arbitraryRows(everyColumn), dialects, names, (rows, dialect, renamed) => {
        const columns = everyColumn.map((original, index) => ({ ...original, name: renamed[index] ?? '' }))
        expect(encode(columns, rows, dialect)).toEqual(stringifyAll(columns, rows, dialect))
      }),
      { numRuns: cases(300) },
    )
  })

  it('the bytes of CSV are the same from one call or from many', () => {
    const whole = createCsvEncoder(everyColumn, defaultCsvDialect)
    const single = createCsvEncoder(everyColumn, defaultCsvDialect)
    expect(Buffer.concat(everyRow.map((row) => single([row])))).toEqual(Buffer.from(whole(everyRow)))
  })

  it('the bytes of CSV have a buffer of their own', () => {
    const bytes = createCsvEncoder([column('a', 'text')], defaultCsvDialect)([['x']])
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
  })
})

describe('a cell of CSV', () => {
  it.each<[Column['type'], Cell, string]>([
    [{ kind: 'text' }, null, ''],
    [{ kind: 'text' }, '', '""'],
    [{ kind: 'text' }, 'a"b', '"a""b"'],
    [{ kind: 'text' }, ' a ', ' a '],
    [{ kind: 'text' }, '=1', '=1'],
    [{ kind: 'integer' }, -9223372036854775808n, '-9223372036854775808'],
    [{ kind: 'integer' }, 9007199254740991, '9007199254740991'],
    [{ kind: 'float' }, 0.1, '0.1'],
    [{ kind: 'float' }, 1e21, '1e+21'],
    [{ kind: 'boolean' }, false, 'false'],
    [{ kind: 'timestamp' }, 1767323045000, '2026-01-02T03:04:05Z'],
    [{ kind: 'timestamp' }, 1767323045006, '2026-01-02T03:04:05.006Z'],
    [{ kind: 'timestamp' }, -1, '1969-12-31T23:59:59.999Z'],
    [{ kind: 'timestamp' }, -62135596800000, '0001-01-01T00:00:00Z'],
    [{ kind: 'timestamp' }, 253402300799999, '9999-12-31T23:59:59.999Z'],
    [{ kind: 'timestamp' }, 253402300800000, '+010000-01-01T00:00:00Z'],
    [{ kind: 'date' }, 20455, '2026-01-02'],
    [{ kind: 'date' }, 11016, '2000-02-29'],
    [{ kind: 'date' }, -719163, '0000-12-31'],
    [{ kind: 'date' }, -719529, '-000001-12-31'],
    [{ kind: 'decimal', precision: 9, scale: 2 }, 820, '8.20'],
    [{ kind: 'decimal', precision: 9, scale: 2 }, -5, '-0.05'],
    [{ kind: 'decimal', precision: 9, scale: 2 }, 0, '0.00'],
    [{ kind: 'decimal', precision: 9, scale: 0 }, -820, '-820'],
    [{ kind: 'decimal', precision: 38, scale: 37 }, -(10n ** 38n - 1n), `-9.${'9'.repeat(37)}`],
    [{ kind: 'json' }, '{"a":1}', '"{""a"":1}"'],
  ])('a cell of CSV of %o holding %s is written as %s', (type, cell, text) => {
    expect(encodeOne(column('a', type), cell)).toBe(text)
  })

  it('a date in CSV is the right day at both ends of every month of the years 1 to 9999', () => {
    const ends = Array.from({ length: 9999 * 12 }, (_, month) => Date.UTC(4000, month - 3999 * 12) / 86_400_000)
    const days = ends.flatMap((first) => [first - 1, first]).filter((day) => day >= -719_162)
    const bytes = createCsvEncoder([column('a', 'date')], defaultCsvDialect)(days.map((day) => [day]))
    const expected = days.map((day) => `${new Date(day * 86_400_000).toISOString().slice(0, 10)}\n`).join('')
    expect(Buffer.from(bytes).toString() === expected).toBe(true)
  })

  it('a cell of CSV keeps empty text and null apart when every cell is quoted', () => {
    const dialect = { ...defaultCsvDialect, quoteAll: true }
    expect(encodeOne(column('a', 'text'), '', dialect)).toBe('""')
    expect(encodeOne(column('a', 'text'), null, dialect)).toBe('')
    expect(encodeOne(column('a', 'integer'), 1, dialect)).toBe('"1"')
  })

  it('a cell of CSV is no formula with escapeFormulas, and a number stays a number', () => {
    const dialect = { ...defaultCsvDialect, escapeFormulas: true }
    expect(encodeOne(column('a', 'text'), '=1+1', dialect)).toBe("'=1+1")
    expect(encodeOne(column('a', 'text'), '\r=1', dialect)).toBe('"\'\r=1"')
    expect(encodeOne(column('a', 'text', true), ['-a', 'b'], dialect)).toBe("'-a|b")
    expect(encodeOne(column('a', 'json'), '-1', dialect)).toBe("'-1")
    expect(encodeOne(column('a', 'integer'), -1, dialect)).toBe('-1')
    expect(encodeOne(column('a', 'integer', true), [-1, 2], dialect)).toBe('-1|2')
    expect(encodeOne(column('a', { kind: 'decimal', precision: 4, scale: 2 }), -1, dialect)).toBe('-0.01')
  })

  it('a cell of CSV has a decimal comma in floats and decimals alone', () => {
    const dialect = { ...defaultCsvDialect, delimiter: ';', decimalSeparator: ',' } as const
    const cents = { kind: 'decimal', precision: 9, scale: 2 } as const
    expect(encodeOne(column('a', cents), -5, dialect)).toBe('-0,05')
    expect(encodeOne(column('a', cents, true), [820, null, 5], dialect)).toBe('8,20||0,05')
    expect(encodeOne(column('a', 'float'), 1.5e-7, dialect)).toBe('1,5e-7')
    expect(encodeOne(column('a', 'float'), 3, dialect)).toBe('3')
    expect(encodeOne(column('a', 'integer'), 1234, dialect)).toBe('1234')
    expect(encodeOne(column('a', 'text'), '1.5', dialect)).toBe('1.5')
    expect(encodeOne(column('a', 'json'), '1.5', dialect)).toBe('1.5')
    expect(encodeOne(column('a', 'timestamp'), 1767323045006, dialect)).toBe('2026-01-02T03:04:05.006Z')
  })

  it('a cell of CSV is quoted if its decimal comma is the delimiter', () => {
    const dialect = { ...defaultCsvDialect, decimalSeparator: ',' } as const
    expect(encodeOne(column('a', 'float'), 1.5, dialect)).toBe('"1,5"')
  })

  it('a cell of CSV is quoted if only its formula sign makes it ambiguous', () => {
    const dialect = { ...defaultCsvDialect, escapeFormulas: true, quote: "'" }
    expect(encodeOne(column('a', 'text'), '=1', dialect)).toBe("'''=1'")
  })
})

describe('a list in CSV', () => {
  it('a list in CSV is joined, with null elements as nothing', () => {
    expect(encodeOne(column('a', 'integer', true), [1, null, 2n ** 63n - 1n])).toBe('1||9223372036854775807')
    expect(encodeOne(column('a', 'text', true), [])).toBe('""')
    expect(encodeOne(column('a', 'text', true), null)).toBe('')
  })

  it.each(['|', ',', ' ', '::'])('a list in CSV separated by "%s" can be split again', (listSeparator) => {
    const dialect = { ...defaultCsvDialect, delimiter: '\u0001', quote: '\u0002', listSeparator }
    const elements = fc.array(
      hostileText([':']).map((text) => text.replaceAll(/[\r\n]/g, '')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(elements, (texts) => {
        fc.pre(texts.join('') !== '')
        expect(splitList(encodeOne(column('a', 'text', true), texts, dialect), listSeparator)).toEqual(texts)
      }),
    )
  })
})

describe('the header of CSV', () => {
  const columns = [column('id', 'text'), column('a "b"', 'text')]

  it('the header of CSV quotes names as cells', () => {
    expect(header(columns, {})).toBe('id,"a ""b"""\n')
    expect(header(columns, { quoteAll: true, lineBreak: 'crlf', delimiter: ';' })).toBe('"id";"a ""b"""\r\n')
  })

  it('the header of CSV begins with the byte order mark, which stays without a header', () => {
    expect(header(columns, { bom: true })).toBe('\uFEFFid,"a ""b"""\n')
    expect(header(columns, { bom: true, header: false })).toBe('\uFEFF')
    expect(header(columns, { header: false })).toBe('')
  })
})

function header(columns: readonly Column[], dialect: Partial<CsvDialect>): string {
  return Buffer.from(formatCsvHeader(columns, { ...defaultCsvDialect, ...dialect })).toString('utf8')
}

function encode(columns: readonly Column[], rows: readonly Row[], dialect: CsvDialect): Buffer {
  return Buffer.concat([formatCsvHeader(columns, dialect), createCsvEncoder(columns, dialect)(rows)])
}

function encodeOne(only: Column, cell: Cell, dialect: CsvDialect = defaultCsvDialect): string {
  return Buffer.from(createCsvEncoder([only], dialect)([[cell]]))
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/** The oracle: other code for the text of a value, csv-stringify for everything around it. */
function stringifyAll(columns: readonly Column[], rows: readonly Row[], dialect: CsvDialect): Buffer {
  const text = stringify(
    rows.map((row) => columns.map((of, index) => toOracleCell(of, row[index] ?? null, dialect))),
    {
      bom: dialect.bom,
      columns: columns.map(({ name }, index) => ({ key: String(index), header: name })),
      delimiter: dialect.delimiter,
      eof: true,
      escape: dialect.quote,
      escape_formulas: dialect.escapeFormulas,
      header: dialect.header,
      quote: dialect.quote,
      quote_record_delimiter: true,
      quoted: dialect.quoteAll,
      record_delimiter: dialect.lineBreak === 'crlf' ? '\r\n' : '\n',
      cast: {
        string: (value) => (value === '' ? { value, quoted_empty: true } : value),
        object: (value) => ({ value: String(value['text']), escape_formulas: false, quoted_empty: true }),
      },
    },
  )
  return Buffer.from(rows.length === 0 && !dialect.header && dialect.bom ? '\uFEFF' : text)
}

/** Text is a string, so that formulas are escaped; other values are objects; null is undefined. */
function toOracleCell({ type, list }: Column, cell: Cell, { listSeparator, decimalSeparator }: CsvDialect): unknown {
  if (cell === null) return undefined
  const hasFraction = type.kind === 'float' || type.kind === 'decimal'
  const textOf = (value: Scalar) =>
    hasFraction ? oracleText(type, value).replace('.', decimalSeparator) : oracleText(type, value)
  const escape = (text: string) =>
    text.split('').map((unit) => (unit === '\\' || unit === listSeparator ? `\\${unit}` : unit))
  const text = list
    ? (cell as readonly Scalar[])
        .map((value) => (value === null ? '' : escape(textOf(value)).join('')))
        .join(listSeparator)
    : textOf(cell as Scalar)
  return type.kind === 'text' || type.kind === 'json' ? text : { text }
}

function oracleText(type: Column['type'], value: Scalar): string {
  if (type.kind === 'timestamp') return new Date(Number(value)).toISOString().replace('.000Z', 'Z')
  if (type.kind === 'date') return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10)
  if (type.kind !== 'decimal') return String(value)
  const unit = 10n ** BigInt(type.scale)
  const size = BigInt(value ?? 0) < 0n ? -BigInt(value ?? 0) : BigInt(value ?? 0)
  const fraction = String(size % unit).padStart(type.scale, '0')
  return `${BigInt(value ?? 0) < 0n ? '-' : ''}${size / unit}${type.scale === 0 ? '' : `.${fraction}`}`
}

function splitList(text: string, separator: string): string[] {
  const elements = ['']
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') elements[elements.length - 1] += text[++index] ?? ''
    else if (text.startsWith(separator, index)) {
      elements.push('')
      index += separator.length - 1
    } else elements[elements.length - 1] += text[index] ?? ''
  }
  return elements
}
