import { readFileSync, statSync } from 'node:fs'
import type { CsvRow } from '../../sources/csv-table.ts'
import { readSheet } from '../../sources/workbook/read-workbook.ts'
import { WorkbookError } from '../../sources/workbook/zip-entries.ts'
import { decodeListBytes } from './decode-list.ts'

/** Reads the bytes of a file. Throws errors with a Node `code`, or with a message that says what was expected. */
export type ReadListBytes = (path: string) => Uint8Array

/** A list as it is written: text, or the rows of a sheet. */
export type ListContent = { readonly text: string } | { readonly rows: readonly CsvRow[] }

export interface ReadListOptions {
  /** The sheet of a workbook; by default its first. */
  readonly sheet?: string | undefined
  readonly readBytes?: ReadListBytes | undefined
}

export function readList(
  path: string,
  { sheet, readBytes = readListBytes }: ReadListOptions,
): ListContent | { readonly fault: string } {
  try {
    return toContent(readBytes(path), sheet)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: reasons[code] ?? message }
  }
}

/** Reads the file whole and synchronously, as lists are small. */
function readListBytes(path: string): Uint8Array {
  const { size, isFile } = statOf(path)
  if (!isFile) throw new Error('expected a file, got a folder, a pipe or a device')
  if (size > mostBytes) throw new Error(`expected a list of at most 64 MiB, got ${Math.ceil(size / 2 ** 20)} MiB`)
  return readFileSync(path)
}

function statOf(path: string): { size: number; isFile: boolean } {
  const found = statSync(path)
  return { size: found.size, isFile: found.isFile() }
}

const mostBytes = 64 * 2 ** 20

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'expected a file, got nothing there (relative paths start at the working directory)',
  ENOTDIR: 'expected a file, got nothing there (relative paths start at the working directory)',
  EACCES: 'expected a file, got one that may not be read (no permission)',
}

function toContent(bytes: Uint8Array, sheet: string | undefined): ListContent | { readonly fault: string } {
  const begins = (...head: number[]): boolean => head.every((byte, at) => bytes[at] === byte)
  if (begins(0x50, 0x4b, 3, 4)) return { rows: readSheet(Buffer.from(bytes), sheet).rows }
  if (sheet !== undefined) throw new WorkbookError('expected an Excel workbook (.xlsx) for sheet:, got another file')
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return { fault: `expected UTF-8 text, got UTF-16: ${saveAs}` }
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) return { fault: oldOrLocked }
  if (begins(0x1f, 0x8b)) return { fault: 'expected text, got gzip: unpack it first' }
  if (bytes.includes(0)) return { fault: `expected text, got binary data or UTF-16: ${saveAs}` }
  return { text: decodeListBytes(bytes) }
}

const saveAs = 'save it as CSV UTF-8'
const oldOrLocked =
  'expected an .xlsx workbook without a password, got an old .xls or one with a password: save it as .xlsx without one'
