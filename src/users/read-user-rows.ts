import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CatalogueError } from '../errors.ts'
import { checkUserRows, type CheckedRows } from './check-user-rows.ts'
import { parseUserCsv } from './parse-user-csv.ts'
import { parseUserLines } from './parse-user-lines.ts'

export type UserFileFormat = 'csv' | 'ndjson'

export interface UserFile {
  /** `-` is standard input. */
  readonly path: string
  /** Default: what the name says. */
  readonly format?: UserFileFormat | undefined
  readonly stdin: Readable
  readonly signal: AbortSignal
}

/**
 * Every row of a file of users, checked. Throws USAGE where its format is not known, SOURCE_NOT_FOUND, SOURCE_FAILED,
 * INTERRUPTED.
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
  throw new CatalogueError('USAGE', `${path}: expected a name that ends in .csv, .tsv, .ndjson or .jsonl, or a format`)
}

async function readBytes({ path, stdin, signal }: UserFile): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(addAbortSignal(signal, stdin)) : await readFile(path, { signal })
  } catch (error) {
    if (signal.aborted) throw new CatalogueError('INTERRUPTED', `${path}: reading was asked to stop`, { cause: error })
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    const message = `${path}: expected a file of users, got ${isMissing ? 'none' : (error as Error).message}`
    throw new CatalogueError(isMissing ? 'SOURCE_NOT_FOUND' : 'SOURCE_FAILED', message, { cause: error })
  }
}

/** The first line that is no UTF-8. */
function findOtherLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}
