import { closeSync, openSync, readSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { copyBytes } from '../memory/copy-bytes.ts'
import { releaseMemory } from '../memory/release-memory.ts'
import { byteOrderMark, defaultBlockBytes } from '../records/block.ts'
import { isUtf16, looksLikeDocument } from './file-beginning.ts'
import { isGzip } from './file-bytes.ts'
import type { CompressedFile, InflatedFile, WholeLines } from './source.ts'

export interface SmallFileOptions {
  readonly format: 'auto' | 'ndjson'
  /** The file, where it was read and decompressed before. */
  readonly inflated: InflatedFile | null
}

/**
 * Reads the lines of a small file into the room, at once: opening a stream takes longer than to read one. Null where they
 * don't fill less than the room, or where the file is not as expected.
 */
export function readSmallFile(path: string, { format, inflated }: SmallFileOptions, room: Buffer): WholeLines | null {
  const bytes = inflated === null ? readDecompressed(path, room) : copyInflated(inflated, room)
  if (bytes === null) return null
  const lines = room.subarray(0, bytes)
  if (isUtf16(lines) || (format === 'auto' && looksLikeDocument(lines))) return null
  const mark = lines.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
  if (mark > 0) lines.copyWithin(0, mark)
  return { bytes: bytes - mark, byteOffset: mark }
}

/** Reads a gzip file into the room as it is. Null where it has no bytes or does not fill less than the room. */
export function readCompressedFile(path: string, room: Buffer): CompressedFile | null {
  const onDisk = readInto(path, room)
  if (onDisk === null || !isGzip(room.subarray(0, onDisk))) return null
  const bytes = readExpected(room.subarray(0, onDisk))
  return bytes > 0 && bytes < defaultBlockBytes ? { onDisk, bytes } : null
}

function readDecompressed(path: string, room: Buffer): number | null {
  const onDisk = readInto(path, room)
  if (onDisk === null || (onDisk === 0 && path.endsWith('.gz'))) return null
  return isGzip(room.subarray(0, onDisk)) ? gunzipInto(room.subarray(0, onDisk), room) : onDisk
}

/** Takes files as `readDecompressed` does. */
function copyInflated({ onDisk, bytes }: InflatedFile, room: Buffer): number | null {
  if (Math.max(onDisk, bytes.length) >= room.length) return null
  copyBytes(bytes, room)
  return bytes.length
}

/** The length of a file that fills less than the room. */
function readInto(path: string, room: Buffer): number | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    for (let end = 0; end < room.length;) {
      const bytes = readSync(file, room, end, room.length - end, null)
      if (bytes === 0) return end
      end += bytes
    }
    return null
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** The length of the decompressed bytes, where they fill less than the room. */
function gunzipInto(bytes: Buffer, room: Buffer): number | null {
  const expected = readExpected(bytes)
  if (expected >= room.length) return null
  try {
    const options = { chunkSize: Math.max(minChunkBytes, expected + 1), maxOutputLength: room.length - 1 }
    const lines = gunzipSync(bytes, options)
    copyBytes(lines, room)
    const { length } = lines
    releaseMemory(new Uint8Array(lines.buffer))
    return length
  } catch {
    return null
  }
}

/** The last bytes say how many there are; several members, or a damaged file, say something else. */
function readExpected(bytes: Buffer): number {
  return bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4)
}

/** Smaller ones are part of a buffer that others use. */
const minChunkBytes = 16 * 1024
