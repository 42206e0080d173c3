/** A file in a zip (APPNOTE 6.3) that is compressed by deflate already, which libraries such as yazl don't take. */
export interface ZipEntry {
  /** ASCII. */
  readonly path: string
  readonly crc: number
  /** Size before compression. */
  readonly bytes: number
  readonly compressedBytes: number
}

/** The header before the compressed bytes of an entry. Sizes of more than 32 bits are in the extra field of zip64. */
export function formatLocalHeader(entry: ZipEntry): Buffer {
  const isLarge = Math.max(entry.bytes, entry.compressedBytes) >= most32
  const extra = isLarge ? formatZip64([entry.bytes, entry.compressedBytes]) : Buffer.alloc(0)
  return Buffer.concat([
    words32(0x04034b50),
    formatCommon(entry, isLarge, extra.length, isLarge ? [most32, most32] : [entry.compressedBytes, entry.bytes]),
    Buffer.from(entry.path, 'latin1'),
    extra,
  ])
}

/** The directory after all entries; `offsets` are their positions. */
export function formatDirectory(entries: readonly ZipEntry[], offsets: readonly number[], start: number): Buffer {
  const headers = entries.map((entry, at) => formatCentralHeader(entry, offsets[at] ?? 0))
  const directory = Buffer.concat(headers)
  return Buffer.concat([directory, formatEnd(entries.length, directory.length, start)])
}

function formatCentralHeader(entry: ZipEntry, offset: number): Buffer {
  const { path, bytes, compressedBytes } = entry
  const large = [bytes, compressedBytes, offset].filter((size) => size >= most32)
  const extra = large.length === 0 ? Buffer.alloc(0) : formatZip64(large)
  return Buffer.concat([
    words32(0x02014b50),
    words16(version),
    formatCommon(entry, large.length > 0, extra.length, [compressedBytes, bytes].map(atMost32)),
    words16(0, 0, 0),
    words32(0, atMost32(offset)),
    Buffer.from(path, 'latin1'),
    extra,
  ])
}

function formatCommon(
  { path, crc }: ZipEntry,
  isLarge: boolean,
  extraLength: number,
  [compressedBytes = 0, bytes = 0]: readonly number[],
): Buffer {
  return Buffer.concat([
    words16(isLarge ? version : oldVersion, 0, deflated, 0, firstDay),
    words32(crc, compressedBytes, bytes),
    words16(path.length, extraLength),
  ])
}

function formatZip64(sizes: readonly number[]): Buffer {
  return Buffer.concat([words16(0x0001, 8 * sizes.length), words64(...sizes)])
}

function formatEnd(count: number, bytes: number, start: number): Buffer {
  const end = [words32(0x06054b50), words16(0, 0, Math.min(count, most16), Math.min(count, most16))]
  const rest = [words32(atMost32(bytes), atMost32(start)), words16(0)]
  if (start < most32 && bytes < most32 && count < most16) return Buffer.concat([...end, ...rest])
  const large = [words32(0x06064b50), words64(44), words16(version, version), words32(0, 0)]
  const locator = [words32(0x07064b50, 0), words64(start + bytes), words32(1)]
  return Buffer.concat([...large, words64(count, count, bytes, start), ...locator, ...end, ...rest])
}

/** The least version with zip64, and the one with deflate. */
const version = 45
const oldVersion = 20
const deflated = 8
/** 1 January 1980: the same content gives the same bytes. */
const firstDay = 0x0021
const most16 = 0xffff
const most32 = 0xffffffff

function atMost32(size: number): number {
  return Math.min(size, most32)
}

function words16(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * words.length)
  for (const [at, word] of words.entries()) bytes.writeUInt16LE(word, 2 * at)
  return bytes
}

function words32(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length)
  for (const [at, word] of words.entries()) bytes.writeUInt32LE(word, 4 * at)
  return bytes
}

function words64(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * words.length)
  for (const [at, word] of words.entries()) bytes.writeBigUInt64LE(BigInt(word), 8 * at)
  return bytes
}
