import { CatalogueError } from '../errors.ts'
import type { Cell, Column, ColumnType, Row, Scalar } from '../records/flatten/column.ts'
import { compileFormat } from './format-cell.ts'

/**
 * Rows as lines of JSON objects with every column in order, null included. Integers keep all their digits, decimals
 * are strings because readers would round numbers, times are ISO 8601 strings, json cells are embedded as they are.
 */
export function createNdjsonEncoder(columns: readonly Column[]): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const keys = columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`)
  const formats = columns.map(compileCell)
  const encoder = new TextEncoder()
  return (rows) => {
    let lines = ''
    for (const row of rows) {
      lines += '{'
      for (let index = 0; index < formats.length; index++) {
        const format = formats[index] as FormatCell
        lines += keys[index] + format(row[index] as Cell)
      }
      lines += '}\n'
    }
    return encoder.encode(lines)
  }
}

type FormatCell = (cell: Cell) => string

function compileCell(column: Column): FormatCell {
  const format = compileElement(column.type)
  const formatElement = (element: Scalar) => (element === null ? 'null' : format(element))
  if (!column.list) return formatElement as FormatCell
  return (cell) => (cell === null ? 'null' : `[${(cell as readonly Scalar[]).map(formatElement).join(',')}]`)
}

function compileElement(type: ColumnType): (value: Scalar) => string {
  const format = compileFormat(type)
  switch (type.kind) {
    case 'text':
      return (value) => formatString(value as string)
    case 'float':
      return (value) => formatFloat(value as number)
    case 'integer':
    case 'boolean':
      return format
    case 'json':
      return (value) => toOneLine(value as string)
    case 'timestamp':
    case 'date':
    case 'decimal':
      return (value) => `"${format(value)}"`
  }
}

/** `JSON.stringify`, which also escapes lone surrogates; text that needs no escape takes two thirds of its time. */
function formatString(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

function formatFloat(value: number): string {
  if (Number.isFinite(value)) return String(value)
  throw new CatalogueError('OUTPUT_FAILED', `ndjson: a float has no JSON form, expected a finite number, got ${value}`)
}

/** Line breaks of JSON text are only between tokens, where a space means the same. */
function toOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json
}

// oxlint-disable-next-line no-control-regex -- the characters that JSON asks to escape
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/
