import { closeSync, openSync, readSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { copyBytes } from '../records/memory/copy-bytes.ts'
import { releaseMemory } from '../records/memory/release-memory.ts'
import { byteOrderMark } from '../records/block.ts'
import { isUtf16, looksLikeDocument } from './file-beginning.ts'
import { isGzip } from './file-bytes.ts'
import type { WholeLines } from './source.ts'

/**
 * Reads the lines of a small file into the room in one call, because opening a stream takes longer than reading. Null
 * if they don't fill less than the room, or the file is not as expected.
 */
export function readSmallFile(path: string, format: 'auto' | 'ndjson', room: Buffer): WholeLines | null {
  const onDisk = readInto(path, room)
  if (onDisk === null || (onDisk === 0 && path.endsWith('.gz'))) return null
  const bytes = isGzip(room.subarray(0, onDisk)) ? gunzipInto(room.subarray(0, onDisk), room) : onDisk
  if (bytes === null) return null
  const lines = room.subarray(0, bytes)
  if (isUtf16(lines) || (format === 'auto' && looksLikeDocument(lines))) return null
  const mark = lines.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
  if (mark > 0) lines.copyWithin(0, mark)
  return { bytes: bytes - mark, byteOffset: mark }
}

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

function gunzipInto(bytes: Buffer, room: Buffer): number | null {
  // The last four bytes state the decompressed size; with several members, or in a damaged file, they are wrong.
  const expected = bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4)
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

/** Smaller chunks share a pooled buffer. */
const minChunkBytes = 16 * 1024
