/*
 * Sets of row numbers as deletion vectors have them: a RoaringBitmap of 64 bits in the portable format of RoaringFormatSpec, behind a
 * magic number.
 */

const magic = 1_681_511_377
/** Of a bitmap of 32 bits without containers of runs, and of one with some. */
const plainCookie = 12_346
const runCookie = 12_347
/** A container has the rows of one block of 65,536: as an array up to so many, else as bits. */
const mostInArray = 4096
const bitmapBytes = 8192
/** A bitmap with runs has no offsets if it has fewer containers. */
const leastWithOffsets = 4

/** The rows are in ascending order, each once, and below 2^32. */
export function encodeRows(rows: readonly number[]): Buffer {
  const blocks = new Map<number, number[]>()
  for (const row of rows) {
    const block = Math.floor(row / 65_536)
    const own = blocks.get(block) ?? []
    blocks.set(block, own)
    own.push(row)
  }
  const containers = [...blocks.values()].map((own) => (own.length > mostInArray ? toBits(own) : toArray(own)))
  const header = Buffer.alloc(24 + 8 * blocks.size)
  header.writeUInt32LE(magic, 0)
  header.writeBigUInt64LE(1n, 4)
  header.writeUInt32LE(plainCookie, 16)
  header.writeUInt32LE(blocks.size, 20)
  let offset = 8 + 8 * blocks.size
  for (const [at, [block, own]] of [...blocks].entries()) {
    header.writeUInt16LE(block, 24 + 4 * at)
    header.writeUInt16LE(own.length - 1, 26 + 4 * at)
    header.writeUInt32LE(offset, 24 + 4 * blocks.size + 4 * at)
    offset += containers[at]?.length ?? 0
  }
  return Buffer.concat([header, ...containers])
}

function toArray(rows: readonly number[]): Buffer {
  return Buffer.from(new Uint8Array(Uint16Array.from(rows, (row) => row % 65_536).buffer))
}

function toBits(rows: readonly number[]): Buffer {
  const bits = Buffer.alloc(bitmapBytes)
  for (const row of rows) bits[(row % 65_536) >> 3]! |= 1 << (row & 7)
  return bits
}

/** Returns the rows in ascending order. Throws RangeError for bytes that are no such bitmap. */
export function decodeRows(bytes: Buffer): number[] {
  if (bytes.readUInt32LE(0) !== magic) throw new RangeError('expected a deletion vector, got other bytes')
  const rows: number[] = []
  let at = 12
  for (let left = bytes.readBigUInt64LE(4); left > 0n; left--) {
    const key = bytes.readUInt32LE(at)
    at = decodeBucket(bytes, at + 4, key * 2 ** 32, rows)
  }
  return rows
}

/** Adds the rows of a bitmap of 32 bits, and returns where it ends. */
function decodeBucket(bytes: Buffer, start: number, base: number, rows: number[]): number {
  const cookie = bytes.readUInt32LE(start)
  const hasRuns = (cookie & 0xffff) === runCookie
  if (!hasRuns && cookie !== plainCookie) throw new RangeError('expected a bitmap, got other bytes')
  const count = hasRuns ? (cookie >>> 16) + 1 : bytes.readUInt32LE(start + 4)
  const flags = start + 4
  const header = hasRuns ? flags + Math.ceil(count / 8) : start + 8
  let at = header + 4 * count + (hasRuns && count < leastWithOffsets ? 0 : 4 * count)
  for (let container = 0; container < count; container++) {
    const block = base + bytes.readUInt16LE(header + 4 * container) * 65_536
    const cardinality = bytes.readUInt16LE(header + 4 * container + 2) + 1
    const isRuns = hasRuns && ((bytes.readUInt8(flags + (container >> 3)) >> (container & 7)) & 1) === 1
    if (isRuns) at = decodeRuns(bytes, at, block, rows)
    else if (cardinality > mostInArray) at = decodeBits(bytes, at, block, rows)
    else {
      for (let each = 0; each < cardinality; each++) rows.push(block + bytes.readUInt16LE(at + 2 * each))
      at += 2 * cardinality
    }
  }
  return at
}

function decodeRuns(bytes: Buffer, at: number, block: number, rows: number[]): number {
  const runs = bytes.readUInt16LE(at)
  for (let run = 0; run < runs; run++) {
    const first = bytes.readUInt16LE(at + 2 + 4 * run)
    const further = bytes.readUInt16LE(at + 4 + 4 * run)
    for (let row = first; row <= first + further; row++) rows.push(block + row)
  }
  return at + 2 + 4 * runs
}

function decodeBits(bytes: Buffer, at: number, block: number, rows: number[]): number {
  for (let row = 0; row < 65_536; row++)
    if (((bytes.readUInt8(at + (row >> 3)) >> (row & 7)) & 1) === 1) rows.push(block + row)
  return at + bitmapBytes
}
