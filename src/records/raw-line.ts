import { isUtf8 } from 'node:buffer'
import type { Block } from './block.ts'

/** One line, unchanged, without its line break. */
export interface RawLine {
  readonly bytes: Buffer
  /** Length of the line in the source; more than `bytes.length` if an oversized line was not kept whole. */
  readonly lineBytes: number
  /** Position of the line in the (decompressed) source. */
  readonly byteOffset: number
  /** False if the source ended without a line break after this line. */
  readonly terminated: boolean
  readonly isUtf8: boolean
  readonly interfaceVersion?: Block['interfaceVersion']
}

const newline = 0x0a
const carriageReturn = 0x0d

/** The lines of a block in order, blank ones included. LF and CRLF end a line. */
export function* linesOf(block: Block): Generator<RawLine> {
  const { bytes } = block
  const allUtf8 = isUtf8(bytes)
  for (let start = 0; start < bytes.length;) {
    const end = findLineBreak(bytes, start)
    yield toRawLine(block, start, end, allUtf8)
    start = end + 1
  }
}

/** The end of the line that begins at `start`: its line feed, or the end of the block. */
export function findLineBreak(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(newline, start)
  return found < 0 ? bytes.length : found
}

/** The line of a block between its start and its line break; with `allUtf8` the block is known to be UTF-8. */
export function toRawLine(block: Block, start: number, end: number, allUtf8: boolean): RawLine {
  const { bytes, byteOffset, droppedBytes } = block
  const isLast = end >= bytes.length - 1
  // The dropped bytes of a line end with its line feed.
  const dropped = isLast ? droppedBytes - Number(droppedBytes > 0 && !block.unterminated) : 0
  const trimmed = dropped === 0 && end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
  const line = bytes.subarray(start, trimmed)
  return {
    bytes: line,
    lineBytes: line.length + dropped,
    byteOffset: byteOffset + start,
    terminated: !(isLast && block.unterminated),
    isUtf8: allUtf8 || isUtf8(line),
    interfaceVersion: block.interfaceVersion,
  }
}

/** True for a line of nothing but spaces, tabs and carriage returns. */
export function isBlank({ bytes }: Pick<RawLine, 'bytes'>): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn)
}
