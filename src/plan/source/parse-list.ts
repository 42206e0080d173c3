import type { Problem } from '../../config/problem.ts'
import { listChoices, closest } from '../../text/choices.ts'
import {
  type CsvRow,
  type CsvTable,
  CsvTableError,
  type CsvTableOptions,
  parseCsvRows,
  parseCsvTable,
} from '../../sources/csv-table.ts'
import { cutText } from '../../text/cut-text.ts'
import type { ListContent } from './read-list.ts'

export interface ListEntry {
  /** Line number from 1. */
  readonly line: number
  readonly written: string
}

export interface ListFault {
  /** The key of `sourceIds` at fault. */
  readonly path: Problem['path']
  readonly message: string
  readonly suggestion?: string
}

/** A column of a list by its name or, without a header, by its number from 1. */
export type ListColumn = string | number

export type ParsedList = { readonly entries: readonly ListEntry[] } | { readonly fault: ListFault }

/** Parses the entries of a list, including empty ones, or returns the fault of the whole list. */
export function parseList(
  content: ListContent,
  { column, delimiter }: CsvTableOptions & { readonly column?: ListColumn | undefined },
): ParsedList {
  if (column === undefined && 'text' in content) return { entries: parseLines(content.text) }
  const parsed = parseListTable(content, [{ column, path: ['column'] }], { delimiter })
  if ('fault' in parsed) return parsed
  return { entries: parsed.rows.map(({ line, cells: [written = ''] }) => ({ line, written })) }
}

/** Skips blank lines and comments. */
function parseLines(text: string): ListEntry[] {
  return text.split(/\r\n|[\r\n]/).flatMap((written, at) => {
    const isEntry = written.trim() !== '' && !written.trimStart().startsWith('#')
    return isEntry ? [{ line: at + 1, written }] : []
  })
}

/** A column that the config names, and the key that names it. */
export interface WantedColumn {
  readonly column: ListColumn | undefined
  readonly path: Problem['path']
}

/** The rows of a table with only the wanted columns, in their order, or the fault of the table. */
export function parseListTable(
  content: ListContent,
  wanted: readonly WantedColumn[],
  { delimiter }: CsvTableOptions,
): { readonly rows: readonly CsvRow[] } | { readonly fault: ListFault } {
  const hasHeader = wanted.some(({ column }) => typeof column !== 'number')
  const table = hasHeader ? readTable(content, delimiter) : readRows(content, delimiter)
  if (table instanceof CsvTableError)
    return { fault: { path: ['file'], message: `line ${table.line}: ${table.message}` } }
  const widest = table.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const fault =
    wanted.map((each) => checkColumn(each, table.header, widest)).find((each) => each !== null) ??
    (hasHeader && 'text' in content ? checkLengths(table) : null)
  if (fault !== null) return { fault }
  const places = wanted.map(({ column }) =>
    typeof column === 'number' ? column - 1 : table.header.indexOf(column ?? ''),
  )
  return { rows: table.rows.map(({ line, cells }) => ({ line, cells: places.map((at) => cells[at] ?? '') })) }
}

function readTable(content: ListContent, delimiter: string | undefined): CsvTable | CsvTableError {
  if ('text' in content) return parseWith(content.text, delimiter, parseTableOf)
  const [header, ...rows] = content.rows
  if (header === undefined) return new CsvTableError(1, 'expected a header line, got nothing')
  return { header: header.cells.map((name) => name.trim()), rows }
}

function readRows(content: ListContent, delimiter: string | undefined): CsvTable | CsvTableError {
  if ('rows' in content) return { header: [], rows: content.rows }
  const rows = parseWith(content.text, delimiter, parseCsvRows)
  return rows instanceof CsvTableError ? rows : { header: [], rows }
}

/**
 * Parses CSV of spreadsheets that write `sep=;` as the first line, and of programs that write ="0012345" instead of
 * quoting.
 */
function parseWith<Parsed>(
  text: string,
  delimiter: string | undefined,
  parse: (table: string, options: CsvTableOptions) => Parsed,
): Parsed | CsvTableError {
  const declared = /^\uFEFF?sep=(.)(?=[\r\n])/i.exec(text)
  const table = text.slice(declared?.[0].length ?? 0)
  const options = { delimiter: delimiter ?? declared?.[1] }
  try {
    return parse(table, options)
  } catch (error) {
    if (!(error instanceof CsvTableError)) throw error
    const withoutFormulas = table.replaceAll(/(?<=^|[^\w"])=(?="[^"\r\n]*"(?:[^\w"]|$))/gm, '')
    return withoutFormulas === table ? error : parseWith(withoutFormulas, options.delimiter, parse)
  }
}

function parseTableOf(text: string, { delimiter }: CsvTableOptions): CsvTable {
  return parseCsvTable(text, { delimiter: delimiter ?? (hasOneColumn(text) ? '\t' : undefined) })
}

/** In such a text a comma would be a decimal separator. */
function hasOneColumn(text: string): boolean {
  return /^\s*(?:"(?:[^"]|"")*"|[^\r\n,;\t"])*(?:[\r\n]|$)/.test(text)
}

function checkColumn({ column, path }: WantedColumn, header: readonly string[], widest: number): ListFault | null {
  if (typeof column === 'number') {
    if (widest === 0 || column <= widest) return null
    return { path, message: `expected the number of a column, from 1 to ${widest}, got ${column}` }
  }
  const names = listChoices(header.map(formatCell))
  if (column === undefined) return { path, message: `expected the name of a column of the sheet (${names}), got none` }
  const found = header.filter((name) => name === column).length
  if (found === 1) return null
  if (found > 1) return { path, message: `expected "${column}" once in the header, got it ${found} times` }
  const suggestion = closest(column, header)
  // A code among the names means that there is no header.
  const hint = header.some((name) => /^\d{4,}$/.test(name)) ? '; of a list without a header, its number, from 1' : ''
  const message = `expected a column of the header (${names}), got "${column}"${hint}`
  return { path, message, ...(suggestion === undefined ? {} : { suggestion }) }
}

/** A row longer than the header has a delimiter within a value, so its columns may be shifted. */
function checkLengths({ header, rows }: CsvTable): ListFault | null {
  const tooLong = rows.filter(({ cells }) => cells.slice(header.length).some((cell) => cell.trim() !== ''))
  if (tooLong.length === 0) return null
  const lines = formatLines(tooLong.map(({ line, cells }) => `${cells.length} in line ${line}`))
  return { path: ['file'], message: `expected no row with more cells than the header (${header.length}), got ${lines}` }
}

const longest = 40
const most = 10

export function formatCell(text: string): string {
  return JSON.stringify(cutText(text, longest))
}

/** Joins the first ten, and says how many more there are. */
export function formatLines(lines: readonly string[]): string {
  const shown = lines.slice(0, most).join(', ')
  return lines.length <= most ? shown : `${shown}, and ${lines.length - most} more`
}
