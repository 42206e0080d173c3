import { CatalogueError } from '../errors.ts'
import type { Cell, Column, Row } from '../records/flatten/column.ts'
import { type ColumnType, typeOf } from '../types/column-types.ts'
import type { FilledScalar, Scalar } from '../types/column-type-definition.ts'

/**
 * Encodes rows as PostgreSQL's COPY text format: tabs between cells, `\N` for null, lists as array literals. Throws
 * TARGET_FAILED, naming `table`, if a text has the character NUL, which no database takes.
 */
export function createCopyTextEncoder(
  columns: readonly Column[],
  table: string,
): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const formats = columns.map(compileCell)
  const ends = columns.map((_, index) => (index === columns.length - 1 ? '\n' : '\t'))
  const encoder = new TextEncoder()
  const encode = (rows: readonly Row[]) => {
    let lines = ''
    for (const row of rows) {
      for (let index = 0; index < formats.length; index++) {
        const cell = row[index] as Cell
        lines += cell === null ? `\\N${ends[index]}` : (formats[index] as FormatCell)(cell) + ends[index]
      }
    }
    return lines
  }
  return (rows) => {
    const lines = encode(rows)
    if (lines.includes('\0')) throw toFailure(columns, table, rows)
    return encoder.encode(lines)
  }
}

type FormatCell = (cell: Exclude<Cell, null>) => string

function compileCell({ type, list }: Column): FormatCell {
  if (list) return compileArrayLiteral(type)
  const { form, format, formatCopy = format } = typeOf(type)
  return form === 'text' ? (cell) => escape(cell as string) : (cell) => formatCopy(cell as FilledScalar)
}

/** `{"a","b \"c\"",NULL}`: texts are always quoted; values of the other types never need it. */
function compileArrayLiteral(type: ColumnType): FormatCell {
  const { form, format, formatCopy = format } = typeOf(type)
  const formatElement = form === 'text' ? (element: FilledScalar) => quote(element as string) : formatCopy
  return (cell) => {
    let list = '{'
    let separator = ''
    for (const element of cell as readonly Scalar[]) {
      list += separator + (element === null ? 'NULL' : formatElement(element))
      separator = ','
    }
    return `${escape(list)}}`
  }
}

function quote(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
}

/** Searching for one character after the other is faster than a pattern in long text, slower in short text. */
function escape(text: string): string {
  const isClean =
    text.length <= 32
      ? !special.test(text)
      : !text.includes('\\') && !text.includes('\n') && !text.includes('\t') && !text.includes('\r')
  return isClean ? text : text.replaceAll(everySpecial, (sign) => escapes[sign] as string)
}

function toFailure(columns: readonly Column[], table: string, rows: readonly Row[]): CatalogueError {
  for (const row of rows) {
    for (const [index, { name }] of columns.entries()) {
      const cell = row[index] ?? null
      const holdsNul = [cell].flat().some((value) => typeof value === 'string' && value.includes('\0'))
      if (!holdsNul) continue
      const where = `table "${table}", column "${name}", row of ${JSON.stringify(row[0])}`
      const message = `${where}: expected text that a database can store, got one with the character NUL (U+0000)`
      return new CatalogueError('TARGET_FAILED', message, {
        fix: 'Leave the column out, keep it `as: json`, which escapes the character, or load files instead.',
      })
    }
  }
  return new CatalogueError('UNEXPECTED', `table "${table}": a NUL where none can be`)
}

const special = /[\\\n\t\r]/
const everySpecial = /[\\\n\t\r]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
