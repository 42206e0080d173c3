import { parquetMetadata } from 'hyparquet'
import { parquetFailure } from './parquet-failure.ts'

/** The only entry of metadata that the encoder is given: it would write several in an order that changes. */
export const placeholderMetadata = ['catalogue-etl', 'metadata'] as const

type Entry = readonly [key: string, value: string]

/**
 * Parts the last bytes of a Parquet file where its footer begins, and puts `entries` as its metadata in place of the
 * placeholder. Throws OUTPUT_FAILED where the bytes don't end in a footer with the placeholder.
 */
export function replacePlaceholder(
  tail: Uint8Array,
  entries: readonly Entry[],
): [rest: Uint8Array, footer: Uint8Array] {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength)
  const end = bytes.length - footerLengthBytes - magic.length
  const start = end < 0 ? -1 : end - bytes.readUInt32LE(end)
  if (start < 0 || bytes.toString('latin1', end + footerLengthBytes) !== magic)
    throw parquetFailure('the file has no footer')
  const footer = spliceEntries(bytes.subarray(start, end), entries)
  const footerLength = Buffer.alloc(footerLengthBytes)
  footerLength.writeUInt32LE(footer.length)
  return [tail.subarray(0, start), Buffer.concat([footer, footerLength, Buffer.from(magic)])]
}

/** Throws OUTPUT_FAILED unless the footer counts `rows`: the encoder keeps silent about a batch that it could not write. */
export function requireRows(footer: Uint8Array, rows: number): void {
  const counted = parquetMetadata(new Uint8Array(footer).buffer).num_rows
  if (counted !== BigInt(rows)) throw parquetFailure(`the file lacks rows, expected ${rows}, got ${counted}`)
}

/** The footer is Thrift in the compact protocol. The encoder adds one entry of its own behind the placeholder. */
function spliceEntries(footer: Buffer, entries: readonly Entry[]): Buffer {
  const placeholder = formatEntry(placeholderMetadata)
  const found = Buffer.concat([formatListHeader(2), placeholder])
  const at = footer.indexOf(found)
  if (at < 0 || footer.indexOf(found, at + 1) >= 0) throw parquetFailure('the footer has no place for metadata')
  const list = [formatListHeader(entries.length + 1), ...entries.map(formatEntry)]
  return Buffer.concat([footer.subarray(0, at), ...list, footer.subarray(at + found.length)])
}

/** The header of field 5 of FileMetaData, right behind field 4: a list of structs. */
function formatListHeader(length: number): Buffer {
  const field = 0x19
  const struct = 0x0c
  return Buffer.from(length < 15 ? [field, (length << 4) | struct] : [field, 0xf0 | struct, ...formatVarint(length)])
}

/** A KeyValue: two strings, each behind the header of its field, and the end of the struct. */
function formatEntry(entry: Entry): Buffer {
  const strings = entry.flatMap((text) => [
    Buffer.from([0x18, ...formatVarint(Buffer.byteLength(text))]),
    Buffer.from(text),
  ])
  return Buffer.concat([...strings, Buffer.from([0])])
}

function formatVarint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...formatVarint(value >>> 7)]
}

const magic = 'PAR1'
const footerLengthBytes = 4
