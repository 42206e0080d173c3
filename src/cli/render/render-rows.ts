import { escapeControls, escapeJson } from '../../messages/escape-controls.ts'
import type { PreviewTable } from '../../engine/run/preview-plan.ts'
import type { Colors } from '../terminal.ts'

const narrow = 80
const widestCell = 40

/**
 * Rows side by side, a column a line: tables here have far more columns than a screen has room for. With `most`, only
 * the first of these many columns that are filled.
 */
export function renderRows(table: PreviewTable, width: number | undefined, colors: Colors, most?: number): string {
  const { name, rows } = table
  const filled = table.columns.filter((column) => rows.some((row) => row[column] !== null))
  const columns = most === undefined ? table.columns : filled.slice(0, most)
  const shown = columns.length < table.columns.length ? `, the first ${columns.length} with a value` : ''
  const title = `${colors.bold(name)}  ${table.columns.length} columns${shown}`
  if (rows.length === 0) return `${title}, no row in the lines read`
  const nameWidth = Math.max(...columns.map((column) => column.length))
  const cellWidth = Math.min(
    widestCell,
    Math.max(12, Math.floor((Math.max(width ?? narrow, narrow) - nameWidth - 2) / rows.length) - 2),
  )
  const lines = columns.map((column) => {
    const cells = rows.map((row) => fit(formatValue(row[column]), cellWidth))
    return `  ${colors.dim(column.padEnd(nameWidth))}  ${cells.join('  ')}`.trimEnd()
  })
  return [title, ...lines].join('\n')
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '·'
  return typeof value === 'string' ? escapeControls(value.replaceAll(/\s+/g, ' ')) : escapeJson(JSON.stringify(value))
}

function fit(text: string, width: number): string {
  return text.length <= width ? text.padEnd(width) : `${text.slice(0, width - 1)}…`
}
