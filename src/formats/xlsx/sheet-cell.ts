import type { Cell, Column } from '../../records/flatten/column.ts'
import { type ColumnType, typeOf } from '../../types/column-types.ts'
import type { FilledScalar } from '../../types/column-type-definition.ts'
import { compileJoinedList, defaultCsvDialect } from '../csv.ts'
import { generalStyle, textStyle, toStyle } from './cell-styles.ts'
import { formatTextCell } from './text-cell.ts'

export type FormatSheetCell = (cell: Cell) => string

/**
 * Writes a cell of a sheet as XML. Values that a program would round or can't show are text: whole numbers and decimals
 * of more than 15 digits, times before March 1900. Lists are joined as in CSV. Null is an empty cell, empty text a cell
 * of text.
 */
export function compileSheetCell(column: Column): FormatSheetCell {
  const format = column.list ? compileList(column) : (compileScalar(column.type) as FormatSheetCell)
  return (cell) => (cell === null ? emptyCell : format(cell))
}

/** Keeps the position of the following cells. */
const emptyCell = '<c/>'

function compileList(column: Column): FormatSheetCell {
  const join = compileJoinedList(column, defaultCsvDialect)
  return (cell) => formatTextCell(join(cell))
}

/** The text of a cell that is cut if it is too long: of text, json and lists. Null for other types. */
export function compileLongText(column: Column): ((cell: Cell) => string) | null {
  if (column.list) return compileJoinedList(column, defaultCsvDialect)
  return typeOf(column.type).form === 'text' ? (cell) => cell as string : null
}

function compileScalar(type: ColumnType): (value: FilledScalar) => string {
  const { format, sheet } = typeOf(type)
  if (sheet === null) return (value) => formatTextCell(format(value))
  const { style, exact, isBoolean } = sheet
  const [usualTag, exactTag] = [toTag(style, isBoolean), toTag(exact?.style ?? style, isBoolean)]
  return (value) => {
    const number = sheet.toNumber(value)
    if (number === null) return formatTextCell(format(value))
    return `${exact?.isFor(value) ? exactTag : usualTag}<v>${number}</v></c>`
  }
}

function toTag(format: number | string, isBoolean = false): string {
  const style = toStyle(format)
  return `<c${style === generalStyle ? '' : ` s="${style}"`}${isBoolean ? ' t="b"' : ''}>`
}

/** The style of empty cells below the header, for values typed there. */
export function toColumnStyle({ type, list }: Column): number {
  const { sheet } = typeOf(type)
  return list || sheet === null ? textStyle : toStyle(sheet.style)
}
