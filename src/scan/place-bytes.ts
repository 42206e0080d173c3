import { copyBytes } from '../memory/copy-bytes.ts'
import type { ScanMemory } from './scan-memory.ts'

/** The addresses of bytes in the memory, and of the room for their index. */
export interface PlacedBytes {
  readonly bytes: number
  /** Behind the last of them: the address of a line break. */
  readonly end: number
  readonly index: number
  readonly escapes: number
  /** The number of bytes to index, the last line break included. */
  readonly indexedBytes: number
}

/** Copies whole lines into the memory, ended by a line break and the space that the scan reads ahead. */
export function placeBytes(memory: ScanMemory, bytes: Buffer): PlacedBytes {
  const isEnded = bytes.at(-1) === newline
  const indexedBytes = bytes.length + Number(!isEnded)
  const room = toRoom(indexedBytes + 2 * stepBytes)
  const at = memory.reserve('bytes', room)
  // One address a byte, one escape two bytes at most; the last step goes beyond the end.
  const index = memory.reserve('index', 4 * room)
  const escapes = memory.reserve('escapes', 2 * room)
  copyBytes(bytes, memory.bytes, at)
  memory.bytes.fill(0x20, at + bytes.length, at + indexedBytes + 2 * stepBytes)
  if (!isEnded) memory.bytes[at + bytes.length] = newline
  return { bytes: at, end: at + indexedBytes - 1, index, escapes, indexedBytes }
}

/** Blocks differ by a part of a line: regions with room for just one of them would move for the next, which is a little longer. */
export function toRoom(bytes: number): number {
  return Math.ceil(bytes / roomBytes) * roomBytes
}

const newline = 0x0a
const stepBytes = 64
const roomBytes = 256 * 1024
