import { lastDay, lastMillisecond } from '../../contracts/year-range.ts'
import type { Cell, Column, ColumnType, Scalar } from '../../records/flatten/column.ts'
import { compileJoinedList, defaultCsvDialect } from '../csv.ts'
import { compileFormat } from '../format-cell.ts'
import {
  dateStyle,
  exactTimestampStyle,
  integerStyle,
  mostDecimals,
  textStyle,
  timestampStyle,
  toDecimalStyle,
} from './cell-styles.ts'
import { formatTextCell } from './text-cell.ts'

export type FormatSheetCell = (cell: Cell) => string

/**
 * A cell of a sheet as XML. Values that a program would round or can't show are text: whole numbers and decimals of more
 * than 15 digits, times before March 1900. Lists are joined as in CSV. Null is an empty cell, empty text a cell of text.
 */
export function compileSheetCell(column: Column): FormatSheetCell {
  const format = column.list ? compileList(column) : (compileScalar(column.type) as FormatSheetCell)
  return (cell) => (cell === null ? emptyCell : format(cell))
}

/** Keeps the place of the cells behind it. */
const emptyCell = '<c/>'

function compileList(column: Column): FormatSheetCell {
  const join = compileJoinedList(column, defaultCsvDialect)
  return (cell) => formatTextCell(join(cell))
}

/** The text of a cell that is cut if it is too long: of text, json and lists. Null for others. */
export function compileLongText(column: Column): ((cell: Cell) => string) | null {
  if (column.list) return compileJoinedList(column, defaultCsvDialect)
  return column.type.kind === 'text' || column.type.kind === 'json' ? (cell) => cell as string : null
}

function compileScalar(type: ColumnType): (value: Scalar) => string {
  const format = compileFormat(type)
  const asText = (value: Scalar) => formatTextCell(format(value))
  switch (type.kind) {
    case 'text':
    case 'json':
      return (value) => formatTextCell(value as string)
    case 'integer':
      return (value) => (isExact(value as number | bigint) ? formatNumber(String(value), integerStyle) : asText(value))
    case 'float':
      return (value) => (isFloat(value as number) ? `<c><v>${String(value)}</v></c>` : asText(value))
    case 'boolean':
      return (value) => (value === true ? '<c t="b"><v>1</v></c>' : '<c t="b"><v>0</v></c>')
    case 'timestamp':
      return (value) => formatTimestamp(value as number) ?? asText(value)
    case 'date':
      return (value) => formatDate(value as number) ?? asText(value)
    case 'decimal': {
      if (type.scale > mostDecimals) return asText
      const style = toDecimalStyle(type.scale)
      return (value) => (isExact(value as number | bigint) ? formatNumber(format(value), style) : asText(value))
    }
  }
}

function formatNumber(number: string, style: number): string {
  return `<c s="${style}"><v>${number}</v></c>`
}

/** True for numbers of at most 15 digits, which programs keep. */
function isExact(value: number | bigint): boolean {
  return value <= mostExact && value >= -mostExact
}

const mostExact = 999_999_999_999_999

/** True for the numbers that programs know. */
function isFloat(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size >= 2.2251e-308 && size <= 9.9999e307)
}

/** Null for a time that has no serial number. */
function formatTimestamp(milliseconds: number): string | null {
  const serial = milliseconds / millisecondsADay + serialOf1970
  if (!(serial >= firstSerial && milliseconds <= lastMillisecond)) return null
  return formatNumber(String(serial), milliseconds % 1000 === 0 ? timestampStyle : exactTimestampStyle)
}

function formatDate(days: number): string | null {
  if (!(days + serialOf1970 >= firstSerial && days <= lastDay)) return null
  return formatNumber(String(days + serialOf1970), dateStyle)
}

const millisecondsADay = 86_400_000
/** Days since the end of 1899; the calendar of programs has a 29 February 1900, so that it is right from 1 March on. */
const serialOf1970 = 25_569
const firstSerial = 61

/** The style of an empty cell below the header, for what is typed there. */
export function toColumnStyle({ type, list }: Column): number {
  if (list) return textStyle
  switch (type.kind) {
    case 'text':
    case 'json':
      return textStyle
    case 'integer':
      return integerStyle
    case 'timestamp':
      return timestampStyle
    case 'date':
      return dateStyle
    case 'decimal':
      return type.scale > mostDecimals ? textStyle : toDecimalStyle(type.scale)
    case 'float':
    case 'boolean':
      return 0
  }
}
