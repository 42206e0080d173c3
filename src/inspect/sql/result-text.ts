import { defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import { createSliceEncoder } from '../../loads/files/column-batch.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { tryJson } from '../../manifest/try-json.ts'
import type { SqlResult } from './sql-result.ts'

export const textForms = ['csv', 'json', 'ndjson', 'md'] as const

export type TextForm = (typeof textForms)[number]

interface TextOptions {
  readonly limit: number | undefined
  /** Called at the end with the number of rows. */
  readonly count?: (rows: number) => void
}

export type ResultRow = Readonly<Record<string, unknown>>

/** The result as pieces of text. */
export async function* toText(
  result: SqlResult,
  form: TextForm,
  { limit, count }: TextOptions,
): AsyncGenerator<string> {
  const { columns } = result
  let rows = 0
  if (form === 'csv' || form === 'ndjson') {
    const dialect = { ...defaultCsvDialect, escapeFormulas: true }
    const encode = createSliceEncoder(form === 'csv' ? { format: 'csv', dialect } : { format: 'ndjson' }, columns)
    if (form === 'csv') yield Buffer.from(formatCsvHeader(columns, dialect)).toString()
    for await (const batch of result.readBatches(limit)) {
      rows += batch.length
      yield Buffer.from(encode([{ batch, from: 0, to: batch.length }])).toString()
    }
  } else {
    const lines = form === 'json' ? toJsonLines : toMarkdownLines
    for await (const { text, isRow } of lines(result, limit)) {
      rows += isRow ? 1 : 0
      yield text
    }
  }
  count?.(rows)
}

/** Rows as lines of NDJSON, without line breaks. */
export async function* readLines(result: SqlResult, limit: number | undefined): AsyncGenerator<string> {
  const encode = createSliceEncoder({ format: 'ndjson' }, result.columns)
  for await (const batch of result.readBatches(limit)) {
    const text = Buffer.from(encode([{ batch, from: 0, to: batch.length }])).toString()
    for (const line of text.split('\n')) if (line !== '') yield line
  }
}

/** A small result as objects. */
export async function readRows(result: SqlResult, limit?: number): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  for await (const line of readLines(result, limit)) rows.push(tryJson(line) as ResultRow)
  return rows
}

interface Line {
  readonly text: string
  readonly isRow: boolean
}

async function* toJsonLines(result: SqlResult, limit: number | undefined): AsyncGenerator<Line> {
  let before = '['
  for await (const line of readLines(result, limit)) {
    yield { text: `${before}\n  ${line}`, isRow: true }
    before = ','
  }
  yield { text: before === '[' ? '[]\n' : '\n]\n', isRow: false }
}

async function* toMarkdownLines(result: SqlResult, limit: number | undefined): AsyncGenerator<Line> {
  const { columns } = result
  yield { text: toMarkdownRow(columns.map(({ name }) => name)), isRow: false }
  yield { text: toMarkdownRow(columns.map((column) => (isNumber(column) ? '---:' : '---'))), isRow: false }
  for await (const line of readLines(result, limit)) {
    const row = tryJson(line) as ResultRow
    yield { text: toMarkdownRow(columns.map(({ name }) => showCell(row[name]))), isRow: true }
  }
}

function toMarkdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|')).join(' | ')} |\n`
}

export function isNumber({ type, list }: SqlResult['columns'][number]): boolean {
  return !list && (type.kind === 'integer' || type.kind === 'float' || type.kind === 'decimal')
}

/** A value on one line; empty for none. */
export function showCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(showCell).join(', ')
  return escapeControls((typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' '))
}
