import { readFileSync, statSync } from 'node:fs'

/** Reads the bytes of a file. Throws errors with a Node `code`, or with a message that says what was expected. */
export type ReadListBytes = (path: string) => Uint8Array

export type ListText = { readonly text: string } | { readonly fault: string }

export function readListText(path: string, readBytes: ReadListBytes = readListBytes): ListText {
  let bytes: Uint8Array
  try {
    bytes = readBytes(path)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: reasons[code] ?? message }
  }
  return decodeList(bytes)
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

/**
 * Decodes UTF-8, or else Windows-1252. In Windows-1252 and DOS code pages delimiters, quotes and digits are the same,
 * so only column names can differ.
 */
function decodeList(bytes: Uint8Array): ListText {
  const begins = (...head: number[]): boolean => head.every((byte, at) => bytes[at] === byte)
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return { fault: `expected UTF-8 text, got UTF-16: ${saveAs}` }
  if (begins(0x50, 0x4b, 3, 4)) return { fault: `expected text, got a workbook or another zip file: ${saveAs}` }
  if (begins(0x1f, 0x8b)) return { fault: 'expected text, got gzip: unpack it first' }
  if (bytes.includes(0)) return { fault: `expected text, got binary data or UTF-16: ${saveAs}` }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    // Some programs put a byte order mark before text of another encoding.
    const hasMark = begins(0xef, 0xbb, 0xbf)
    return { text: new TextDecoder('windows-1252').decode(hasMark ? bytes.subarray(3) : bytes) }
  }
}

const saveAs = 'save it as CSV UTF-8'
