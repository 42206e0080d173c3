import { inflateRawSync } from 'node:zlib'

/** A file that is no workbook, or one that can't be read. The message says what was expected and what is there. */
export class WorkbookError extends Error {}

/** Reads the files of a zip, each when it is asked for. Null for one that is not there. Throws WorkbookError. */
export function openZip(bytes: Buffer): (name: string) => string | null {
  const entries = new Map(listEntries(bytes).map((entry) => [entry.name, entry]))
  return (name) => {
    const entry = entries.get(name)
    return entry === undefined ? null : readEntry(bytes, entry).toString('utf8')
  }
}

interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  readonly at: number
}

/** APPNOTE of ZIP, 4.3.12: the directory at the end is what counts. */
function listEntries(bytes: Buffer): ZipEntry[] {
  const end = bytes.lastIndexOf(endSignature)
  if (end < 0 || end + 22 > bytes.length) throw new WorkbookError('expected a whole workbook, got one that is cut')
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature)
      throw new WorkbookError('expected a workbook, got a zip file that is damaged or too large')
    const nameLength = bytes.readUInt16LE(at + 28)
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    return entry
  })
}

function readEntry(bytes: Buffer, { name, method, packed, unpacked, at }: ZipEntry): Buffer {
  if (unpacked > mostBytes) throw new WorkbookError(`expected at most 512 MiB of ${name}, got more`)
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const content = bytes.subarray(start, start + packed)
  try {
    return method === stored ? content : inflateRawSync(content, { maxOutputLength: mostBytes })
  } catch {
    throw new WorkbookError(`expected a workbook, got a zip file in which ${name} is damaged`)
  }
}

const mostBytes = 512 * 2 ** 20
const stored = 0
const endSignature = Buffer.from([0x50, 0x4b, 5, 6])
const entrySignature = 0x02014b50
