import { isUtf8 } from 'node:buffer'
import type { Block } from './block.ts'

/** One line as it came, without its line break. */
export interface RawLine {
  readonly bytes: Buffer
  /** Length of the line in the source; more than `bytes.length` where an oversized line was not kept whole. */
  readonly lineBytes: number
  /** Position of the line in the (decompressed) source. */
  readonly byteOffset: number
  /** False where the source ended without a line break after this line. */
  readonly terminated: boolean
  /** Whether the bytes are valid UTF-8. */
  readonly isUtf8: boolean
}

const newline = 0x0a
const carriageReturn = 0x0d

/** The lines of a block in order, blank ones included. LF and CRLF end a line. */
export function* linesOf(block: Block): Generator<RawLine> {
  const { bytes, byteOffset, droppedBytes } = block
  const allUtf8 = isUtf8(bytes)
  // What was dropped of a line ends with its line feed.
  const droppedOfLine = droppedBytes > 0 && !block.unterminated ? droppedBytes - 1 : droppedBytes
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(newline, start)
    const isLast = found < 0 || found === bytes.length - 1
    const end = found < 0 ? bytes.length : found
    const isWhole = !isLast || droppedOfLine === 0
    const trimmed = isWhole && end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
    const line = bytes.subarray(start, trimmed)
    yield {
      bytes: line,
      lineBytes: line.length + (isLast ? droppedOfLine : 0),
      byteOffset: byteOffset + start,
      terminated: !(isLast && block.unterminated),
      isUtf8: allUtf8 || isUtf8(line),
    }
    start = end + 1
  }
}

/** Whether the line holds nothing but spaces, tabs and carriage returns. */
export function isBlank({ bytes }: RawLine): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn)
}
