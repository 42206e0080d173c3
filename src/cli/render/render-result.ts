import { isNumber, type ResultRow, showCell } from '../../inspect/sql/result-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import { fitText, padText, widthOf } from '../../text/text-width.ts'
import { formatColumnType } from '../../types/column-types.ts'
import type { Colors } from '../terminal.ts'
import { renderRows } from './render-rows.ts'

/** Renders a result with a line a row if its columns fit into the width, else rows side by side. */
export function renderResult(
  columns: readonly Column[],
  rows: readonly ResultRow[],
  width: number,
  colors: Colors,
): string {
  const cells = rows.map((row) => columns.map(({ name }) => showCell(row[name])))
  const widths = fitWidths(columns, cells, width)
  if (widths === null) {
    const listed = columns.map((column) => ({ name: column.name, type: formatColumnType(column) }))
    return renderRows({ name: 'result', columns: listed, rows: [...rows] }, width, colors)
  }
  const layOut = (line: readonly string[]) =>
    line
      .map((cell, at) => pad(cell, widths[at] ?? 0, columns[at]))
      .join('  ')
      .trimEnd()
  return [colors.dim(layOut(columns.map(({ name }) => name))), ...cells.map(layOut)].join('\n')
}

/** The widths of columns: each has room for its name, and long texts share what is left. Null if there is too little. */
function fitWidths(columns: readonly Column[], cells: readonly (readonly string[])[], width: number): number[] | null {
  const widest = columns.map(({ name }, at) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[at] ?? ''))))
  const least = columns.map((column, at) =>
    Math.min(widest[at] ?? 0, isNumber(column) ? (widest[at] ?? 0) : Math.max(widthOf(column.name), narrowestText)),
  )
  const room = width - 2 * (columns.length - 1)
  let left = room - sum(least)
  if (left < 0) return null
  const widths = [...least]
  // The narrowest first, so that only the widest are cut.
  const order = widths.map((_, at) => at).sort((one, other) => (widest[one] ?? 0) - (widest[other] ?? 0))
  for (const [done, at] of order.entries()) {
    const share = Math.floor(left / (order.length - done))
    const more = Math.min(share, (widest[at] ?? 0) - (widths[at] ?? 0))
    widths[at] = (widths[at] ?? 0) + more
    left -= more
  }
  return widths
}

const narrowestText = 12

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function pad(cell: string, width: number, column: Column | undefined): string {
  const fitted = fitText(cell, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(fitted)))
  return column !== undefined && isNumber(column) ? blanks + fitted : padText(fitted, width)
}
