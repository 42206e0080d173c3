import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CatalogueError, interrupted } from '../errors.ts'
import type { RequiredContext } from '../run-context.ts'
import { isObject } from '../records/json/json-values.ts'
import { type CheckedRows, checkUserRows, type ParsedRows, type RowProblem } from './check-user-rows.ts'
import { parseUserCsv } from './parse-user-csv.ts'

export type UserFileFormat = 'csv' | 'ndjson'

export interface UserFile extends RequiredContext<'signal'> {
  readonly path: string
  readonly format?: UserFileFormat | undefined
  readonly stdin: Readable
}

/**
 * Reads and checks the rows of a file of users. Throws USAGE if its format is unknown, SOURCE_NOT_FOUND, SOURCE_FAILED
 * or INTERRUPTED.
 */
export async function readUserRows(file: UserFile): Promise<CheckedRows> {
  const format = file.format ?? toFormat(file.path)
  const bytes = await readBytes(file)
  const parse = format === 'csv' ? parseUserCsv : parseUserLines
  if (isUtf8(bytes)) return checkUserRows(parse(bytes.toString('utf8')))
  const message = 'expected UTF-8, got bytes that are none (from a spreadsheet, save as "CSV UTF-8")'
  return { rows: [], problems: [{ line: findOtherLine(bytes), column: null, message }] }
}

function toFormat(path: string): UserFileFormat {
  const suffix = extname(path).toLowerCase()
  const format = ({ '.csv': 'csv', '.tsv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' } as const)[suffix]
  if (format !== undefined) return format
  throw new CatalogueError(
    'USAGE',
    `${path}: expected a name that ends in .csv, .tsv, .ndjson or .jsonl, or a format`,
    {
      fix: 'Say what the file holds with `--format csv` or `--format ndjson` (`format` in a program).',
    },
  )
}

async function readBytes({ path, stdin, signal }: UserFile): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(addAbortSignal(signal, stdin)) : await readFile(path, { signal })
  } catch (error) {
    if (signal.aborted) throw interrupted(`${path}: reading`, { cause: signal.reason })
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    const message = `${path}: expected a file of users, got ${isMissing ? 'none' : (error as Error).message}`
    if (!isMissing) throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
    const fix = 'Check the path: a relative one starts at the working directory.'
    throw new CatalogueError('SOURCE_NOT_FOUND', message, { cause: error, fix })
  }
}

function findOtherLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}

/** Parses request bodies from NDJSON, one a line as the specification shows them. Skips blank lines. */
function parseUserLines(text: string): ParsedRows {
  const rows: { line: number; body: unknown }[] = []
  const problems: RowProblem[] = []
  for (const [at, content] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const line = at + 1
    if (content.trim() === '') continue
    const body = parseObject(content)
    if (typeof body === 'string') problems.push({ line, column: null, message: body })
    else rows.push({ line, body })
  }
  return { rows, problems, missing: new Set(), mayHaveDates: false }
}

/** Parses a line, or describes what is wrong with it without quoting it. */
function parseObject(line: string): object | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    // The message quotes the line.
    const [, position] = / position (\d+)/.exec((error as Error).message) ?? []
    const place = position === undefined ? '' : ` (character ${Number(position) + 1})`
    return `expected one JSON object on the line, got what is no JSON${place}`
  }
  if (isObject(value)) return value
  return `expected one JSON object on the line, got ${Array.isArray(value) ? 'a list' : describe(value)}`
}

function describe(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`
}
