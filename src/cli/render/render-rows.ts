import { escapeControls, escapeJson } from '../../text/escape-controls.ts'
import type { PreviewTable } from '../../engine/run/preview-plan.ts'
import type { Colors } from '../terminal.ts'
import { fitText, padText, splitAt, widthOf } from '../../text/text-width.ts'

const usualWidth = 80
const narrowest = 40
const widestCell = 40
const narrowestCell = 12

type PreviewColumn = PreviewTable['columns'][number]
type PreviewRow = PreviewTable['rows'][number]

/**
 * Renders rows side by side, with a line for each column and its type below: these tables have far more columns than a
 * screen has room for. Rows that do not fit come below the others. `most` limits it to the first filled columns.
 */
export function renderRows(table: PreviewTable, width: number | undefined, colors: Colors, most?: number): string {
  const { name, rows } = table
  const filled = table.columns.filter((column) => rows.some((row) => row[column.name] !== null))
  const columns = most === undefined ? table.columns : filled.slice(0, most)
  const isFirst = columns.length < filled.length
  const shown =
    columns.length < table.columns.length ? `, ${isFirst ? 'the first ' : ''}${columns.length} with a value` : ''
  const title = `${colors.bold(name)}  ${table.columns.length} columns${shown}`
  if (rows.length === 0) return `${title}, no row in the lines read`
  const layout = toLayout(columns, rows.length, width)
  const blocks = toBlocks(rows, layout.rowsABlock).map((block) =>
    columns.flatMap((column) => renderColumn(column, block, layout, colors)).join('\n'),
  )
  return [title, blocks.join('\n\n')].join('\n')
}

interface Layout {
  readonly nameWidth: number
  readonly cellWidth: number
  readonly rowsABlock: number
}

function toLayout(columns: readonly PreviewColumn[], rows: number, given: number | undefined): Layout {
  const width = Math.max(narrowest, given || usualWidth)
  const widest = Math.max(...columns.map(({ name, type }) => Math.max(widthOf(name), type.length + typeIndent.length)))
  const nameWidth = Math.min(widest, Math.floor(width / 2) - 2)
  const room = width - nameWidth - 2
  const rowsABlock = Math.max(1, Math.min(rows, Math.floor(room / (narrowestCell + 2))))
  return { nameWidth, rowsABlock, cellWidth: Math.min(widestCell, Math.floor(room / rowsABlock) - 2) }
}

function toBlocks(rows: readonly PreviewRow[], size: number): (readonly PreviewRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}

const typeIndent = '  '

/** Two lines: the name with the beginnings of the values, and the type with their rests. */
function renderColumn(
  { name, type }: PreviewColumn,
  rows: readonly PreviewRow[],
  { nameWidth, cellWidth }: Layout,
  colors: Colors,
): string[] {
  const cells = rows.map((row) => splitCell(formatValue(row[name]), cellWidth))
  const lines = [
    [colors.dim(padText(fitText(name, nameWidth), nameWidth)), ...cells.map(([start]) => padText(start, cellWidth))],
    [
      colors.dim(padText(fitText(typeIndent + type, nameWidth), nameWidth)),
      ...cells.map(([, rest]) => padText(fitText(rest, cellWidth), cellWidth)),
    ],
  ]
  return lines.map((line) => `  ${line.join('  ')}`.trimEnd())
}

function splitCell(text: string, width: number): [start: string, rest: string] {
  const [start, rest] = splitAt(text, width)
  const blank = start.lastIndexOf(' ')
  if (rest === '' || rest.startsWith(' ') || blank < start.length / 2) return [start, rest.trimStart()]
  return [start.slice(0, blank), start.slice(blank + 1) + rest]
}

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '·'
  return typeof value === 'string' ? escapeControls(value.replaceAll(/\s+/g, ' ')) : escapeJson(JSON.stringify(value))
}
