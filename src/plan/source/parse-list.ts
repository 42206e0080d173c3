import { listChoices, closest } from '../../text/choices.ts'
import {
  type CsvTable,
  CsvTableError,
  type CsvTableOptions,
  parseCsvRows,
  parseCsvTable,
} from '../../sources/csv-table.ts'
import { cutText } from '../../text/cut-text.ts'

export interface ListEntry {
  /** Line number from 1. */
  readonly line: number
  readonly written: string
}

export interface ListFault {
  readonly key: 'file' | 'column'
  readonly message: string
  readonly suggestion?: string
}

export interface ListFormat extends CsvTableOptions {
  /**
   * Column of a CSV by its name or, without a header, by its number from 1. Without it the text has an entry per line.
   */
  readonly column?: string | number | undefined
}

export type ParsedList = { readonly entries: readonly ListEntry[] } | { readonly fault: ListFault }

/** Parses the entries of a list, including empty ones, or returns the fault of the whole list. */
export function parseList(text: string, { column, delimiter }: ListFormat): ParsedList {
  if (column === undefined) return { entries: parseLines(text) }
  return typeof column === 'number' ? parseNumbered(text, column, delimiter) : parseColumn(text, column, delimiter)
}

/** Skips blank lines and comments. */
function parseLines(text: string): ListEntry[] {
  return text.split(/\r\n|[\r\n]/).flatMap((written, at) => {
    const isEntry = written.trim() !== '' && !written.trimStart().startsWith('#')
    return isEntry ? [{ line: at + 1, written }] : []
  })
}

function parseNumbered(text: string, column: number, delimiter: string | undefined): ParsedList {
  const rows = parseWith(text, delimiter, parseCsvRows)
  if (rows instanceof CsvTableError) return { fault: { key: 'file', message: `line ${rows.line}: ${rows.message}` } }
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (rows.length > 0 && widest < column) {
    const message = `expected the number of a column, from 1 to ${widest}, got ${column}`
    return { fault: { key: 'column', message } }
  }
  return { entries: rows.map(({ line, cells }) => ({ line, written: cells[column - 1] ?? '' })) }
}

function parseColumn(text: string, column: string, delimiter: string | undefined): ParsedList {
  const table = parseWith(text, delimiter, parseTableOf)
  if (table instanceof CsvTableError) return { fault: { key: 'file', message: `line ${table.line}: ${table.message}` } }
  const { header, rows } = table
  const at = header.indexOf(column)
  const fault = checkColumn(column, header) ?? checkLengths(table)
  if (fault !== null) return { fault }
  return { entries: rows.map(({ line, cells }) => ({ line, written: cells[at] ?? '' })) }
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

function checkColumn(column: string, header: readonly string[]): ListFault | null {
  const found = header.filter((name) => name === column).length
  if (found === 1) return null
  if (found > 1) return { key: 'column', message: `expected "${column}" once in the header, got it ${found} times` }
  const suggestion = closest(column, header)
  // A code among the names means that there is no header.
  const hint = header.some((name) => /^\d{4,}$/.test(name)) ? '; of a list without a header, its number, from 1' : ''
  const message = `expected a column of the header (${listChoices(header.map(formatCell))}), got "${column}"${hint}`
  return { key: 'column', message, ...(suggestion === undefined ? {} : { suggestion }) }
}

/** A row longer than the header has a delimiter within a value, so its columns may be shifted. */
function checkLengths({ header, rows }: CsvTable): ListFault | null {
  const tooLong = rows.filter(({ cells }) => cells.slice(header.length).some((cell) => cell.trim() !== ''))
  if (tooLong.length === 0) return null
  const lines = formatLines(tooLong.map(({ line, cells }) => `${cells.length} in line ${line}`))
  return { key: 'file', message: `expected no row with more cells than the header (${header.length}), got ${lines}` }
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
