import { createRequire } from 'node:module'
import type { Options } from 'csv-parse/sync'

export interface CsvTable {
  /** Names without the spaces around them. */
  readonly header: readonly string[]
  /** The rows behind the header, without those that have no value. A row may have more or fewer cells than the header. */
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  /** The line it begins at, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Parses a CSV text without a header line. Throws CsvTableError where quotes are wrong. */
export function parseCsvRows(text: string, { delimiter }: CsvTableOptions = {}): readonly CsvRow[] {
  const plain = text.replace(/^\uFEFF/, '')
  const records = parseRecords(plain, { ...format, delimiter: delimiter ?? detectInRows(plain) })
  return records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

export interface CsvTableOptions {
  /** Default: comma, semicolon or tab, whichever the header has most of. */
  readonly delimiter?: string | undefined
}

/** Text that is no CSV. The message holds nothing of the text, which may be confidential. */
export class CsvTableError extends Error {
  /** From 1. */
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'CsvTableError'
    this.line = line
  }
}

/**
 * Parses a CSV text with a header line. A byte order mark is skipped, lines may end in LF, CRLF or CR, a quote is doubled
 * inside quotes. Throws CsvTableError where quotes are wrong or nothing is there.
 */
export function parseCsvTable(text: string, { delimiter }: CsvTableOptions = {}): CsvTable {
  const plain = text.replace(/^\uFEFF/, '')
  const records = parseRecords(plain, { ...format, delimiter: delimiter ?? detectDelimiter(plain) })
  const [header, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (header === undefined) throw new CsvTableError(1, 'expected a header line, got nothing')
  return { header: header.cells.map((name) => name.trim()), rows }
}

const format = {
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: 0,
} satisfies Options

function parseRecords(text: string, options: Options): CsvRow[] {
  const { parse, CsvError } = loadParser()
  try {
    return toRows(parse(text, options))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const count = Number(error.records)
    // The error has only the number of records before the one that is not finished.
    throw toTableError(error.code, count === 0 ? [] : parse(text, { ...options, to: count }))
  }
}

type Parser = Pick<typeof import('csv-parse/sync'), 'parse' | 'CsvError'>

/** Loads the parser, which most configs don't need: they name no list. */
function loadParser(): Parser {
  return createRequire(import.meta.url)('csv-parse/sync') as Parser
}

/** The library counts a line break of two characters inside quotes twice. */
function toRows(records: readonly (readonly string[])[]): CsvRow[] {
  let next = 1
  return records.map((cells) => {
    const line = next
    next += 1 + countLineBreaks(cells)
    return { line, cells }
  })
}

function countLineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|[\r\n]/g)?.length ?? 0), 0)
}

/** The library's own message quotes the text. */
function toTableError(code: string, before: readonly (readonly string[])[]): CsvTableError {
  const message =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'expected a quote that closes one opened in this row'
      : 'expected a value in quotes to be quoted as a whole, its own quotes doubled'
  return new CsvTableError(toRows([...before, []]).at(-1)?.line ?? 1, message)
}

/** The delimiter that most of the first rows have; of several the one that each has equally often, a comma last of all. */
function detectInRows(text: string): string {
  const rows = text
    .slice(0, 65_536)
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]+/, 100)
    .filter((row) => row.trim() !== '')
  const scores = [';', '\t', ','].map((delimiter) => {
    const counts = rows.map((row) => row.split(delimiter).length - 1)
    const having = counts.filter((count) => count > 0)
    return { delimiter, rows: having.length, isEven: new Set(having).size === 1 }
  })
  const [best] = scores.toSorted((a, b) => b.rows - a.rows || Number(b.isEven) - Number(a.isEven))
  return best?.delimiter ?? ','
}

function detectDelimiter(text: string): string {
  const header = /^\s*((?:"(?:[^"]|"")*"|[^\r\n])*)/.exec(text)?.[1] ?? ''
  const names = header.replaceAll(/"(?:[^"]|"")*"/g, '')
  const [most] = [',', ';', '\t'].toSorted((a, b) => names.split(b).length - names.split(a).length)
  return most ?? ','
}
