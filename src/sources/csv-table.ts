import { createRequire } from 'node:module'
import type { Options } from 'csv-parse/sync'

export interface CsvTable {
  readonly header: readonly string[]
  /** The rows after the header, without empty ones. A row may have more or fewer cells than the header. */
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  /** The line where the row begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Parses a CSV text without a header line. Throws CsvTableError for wrong quotes. */
export function parseCsvRows(text: string, { delimiter }: CsvTableOptions = {}): readonly CsvRow[] {
  const plain = text.replace(/^\uFEFF/, '')
  const records = parseRecords(plain, { ...format, delimiter: delimiter ?? detectInRows(plain) })
  return records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

export interface CsvTableOptions {
  /** By default comma, semicolon or tab, found in the header or, without one, in the first rows. */
  readonly delimiter?: string | undefined
}

/** A CSV text that can't be parsed. The message quotes nothing of the text, which may be confidential. */
export class CsvTableError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'CsvTableError'
    this.line = line
  }
}

/**
 * Parses a CSV text with a header line. A byte order mark is skipped, lines end in LF, CRLF or CR, and quotes are
 * doubled inside quotes. Throws CsvTableError for wrong quotes or an empty text.
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
    // The error tells only how many records precede the unfinished one.
    throw toTableError(error.code, count === 0 ? [] : parse(text, { ...options, to: count }))
  }
}

type Parser = Pick<typeof import('csv-parse/sync'), 'parse' | 'CsvError'>

/** Loaded on demand: most configs name no list. */
function loadParser(): Parser {
  return createRequire(import.meta.url)('csv-parse/sync') as Parser
}

/** csv-parse counts a CRLF inside quotes as two lines. */
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

/** The library's own message would quote the text. */
function toTableError(code: string, before: readonly (readonly string[])[]): CsvTableError {
  const message =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'expected a quote that closes one opened in this row'
      : 'expected a value in quotes to be quoted as a whole, its own quotes doubled'
  return new CsvTableError(toRows([...before, []]).at(-1)?.line ?? 1, message)
}

/** The delimiter in most of the first rows; if several tie, the one with equal counts in all rows, comma last. */
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
