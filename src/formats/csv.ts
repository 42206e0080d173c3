import type { CsvDialect } from '../manifest/manifest.ts'
import type { Cell, Column, Row } from '../records/flatten/column.ts'
import { type ColumnType, typeOf } from '../types/column-types.ts'
import type { FilledScalar, Scalar } from '../types/column-type-definition.ts'

export const defaultCsvDialect: CsvDialect = {
  delimiter: ',',
  quote: '"',
  quoteAll: false,
  bom: false,
  lineBreak: 'lf',
  escapeFormulas: false,
  header: true,
  listSeparator: '|',
  decimalSeparator: '.',
}

/** The options of a dialect that differ from the defaults; undefined if none do. */
export function listUnusual(dialect: CsvDialect): Partial<CsvDialect> | undefined {
  const usual: Readonly<Record<string, unknown>> = { ...defaultCsvDialect }
  const unusual = Object.entries(dialect).filter(([key, value]) => usual[key] !== value)
  return unusual.length === 0 ? undefined : Object.fromEntries(unusual)
}

/** The beginning of a CSV file: the byte order mark and the line of names, each if the dialect has it. */
export function formatCsvHeader(columns: readonly Column[], dialect: CsvDialect): Uint8Array {
  const formatText = compileText(dialect)
  const names = columns.map((column) => formatText(column.name)).join(dialect.delimiter) + lineBreakOf(dialect)
  return new TextEncoder().encode((dialect.bom ? '\uFEFF' : '') + (dialect.header ? names : ''))
}

/**
 * Encodes rows as lines of CSV (RFC 4180), without a header. Null is written as nothing, empty text as `""`, so that
 * the two differ. Null elements of a list are empty.
 */
export function createCsvEncoder(
  columns: readonly Column[],
  dialect: CsvDialect,
): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const formats = columns.map((column) => compileCell(column, dialect))
  const ends = columns.map((_, index) => (index === columns.length - 1 ? lineBreakOf(dialect) : dialect.delimiter))
  const encoder = new TextEncoder()
  return (rows) => {
    let lines = ''
    for (const row of rows) {
      // a tenth faster than any iterator
      for (let index = 0; index < formats.length; index++) {
        const format = formats[index] as FormatCell
        lines += format(row[index] as Cell) + ends[index]
      }
    }
    return encoder.encode(lines)
  }
}

type FormatCell = (cell: Cell) => string

function lineBreakOf(dialect: CsvDialect): string {
  return dialect.lineBreak === 'crlf' ? '\r\n' : '\n'
}

function compileCell(column: Column, dialect: CsvDialect): FormatCell {
  const format = column.list ? compileJoinedList(column, dialect) : (compileScalar(column.type, dialect) as FormatCell)
  const isText = typeOf(column.type).form === 'text'
  const finish = isText ? compileText(dialect) : compileQuoting(dialect)
  if (!column.list && isText) return (cell) => (cell === null ? '' : finish(cell as string))
  if (!column.list && isNeverQuoted(dialect)) return (cell) => (cell === null ? '' : format(cell))
  return (cell) => (cell === null ? '' : finish(format(cell)))
}

/** Joins a list on one line. Splitting it at the separators without a backslash before them restores the elements. */
export function compileJoinedList({ type }: Column, dialect: CsvDialect): (cell: Cell) => string {
  const { listSeparator } = dialect
  const format = compileScalar(type, dialect)
  const special = characterClass(`${listSeparator}\\`)
  const anySpecial = new RegExp(special)
  const everySpecial = new RegExp(special, 'g')
  const escape = (text: string) => (anySpecial.test(text) ? text.replaceAll(everySpecial, '\\$&') : text)
  return (cell) => {
    let list = ''
    let separator = ''
    for (const element of cell as readonly Scalar[]) {
      list += element === null ? separator : separator + escape(format(element))
      separator = listSeparator
    }
    return list
  }
}

function compileScalar(type: ColumnType, { decimalSeparator }: CsvDialect): (value: FilledScalar) => string {
  const { format, form } = typeOf(type)
  // An integer column of rows that the library was given may hold a fraction.
  if (decimalSeparator === '.' || form !== 'number') return format
  return (value) => format(value).replace('.', decimalSeparator)
}

function isNeverQuoted({ quoteAll, delimiter, quote, decimalSeparator }: CsvDialect): boolean {
  const signs = delimiter + quote
  return !quoteAll && !/[\w.:+-]/.test(signs) && !signs.includes(decimalSeparator)
}

function compileText(dialect: CsvDialect): (text: string) => string {
  const quoted = compileQuoting(dialect)
  return dialect.escapeFormulas ? (text) => quoted(beginsFormula(text) ? `'${text}` : text) : quoted
}

/** The ASCII and full-width signs that spreadsheet programs take for the beginning of a formula. */
function beginsFormula(text: string): boolean {
  return text !== '' && '=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20'.includes(text.charAt(0))
}

function compileQuoting({ delimiter, quote, quoteAll }: CsvDialect): (text: string) => string {
  const twice = (quote + quote).replaceAll('$', '$$$$')
  const enclose = (text: string) => quote + text.replaceAll(quote, twice) + quote
  if (quoteAll) return enclose
  const special = new Set([...delimiter.split(''), quote, '\r', '\n'])
  const hasSpecial = compileSearch([...special])
  return (text) => (text === '' || hasSpecial(text) ? enclose(text) : text)
}

/** Searching for one character after the other is six times as fast in long text, half as fast in short text. */
function compileSearch(characters: readonly string[]): (text: string) => boolean {
  const anyOf = new RegExp(characterClass(characters.join('')))
  return (text) => (text.length <= 32 ? anyOf.test(text) : characters.some((character) => text.includes(character)))
}

function characterClass(characters: string): string {
  return `[${characters.replaceAll(/[\\\]^-]/g, '\\$&')}]`
}
