import { isUtf8 } from 'node:buffer'
import { defaultMaxLineBytes } from '../records/block.ts'
import { misusedBy } from '../check-options.ts'
import type { NumberedLine } from './split-lines.ts'

const newline = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from('\uFEFF')

/**
 * Numbers the lines of another splitter, with or without their line breaks. Positions in the source are as if each line
 * ended in a line feed.
 */
export class ForeignLines {
  #lines = 0
  #byteOffset = 0

  next(line: string | Uint8Array): NumberedLine {
    const whole = withoutBreak(typeof line === 'string' ? Buffer.from(line) : toBuffer(line))
    const isMarked = this.#lines === 0 && whole.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    const bytes = isMarked ? whole.subarray(byteOrderMark.length) : whole
    if (bytes.includes(newline)) {
      throw misusedBy('parseRecords', 'one line an item, as splitLines() gives them', 'several in one')
    }
    const byteOffset = this.#byteOffset
    this.#byteOffset += bytes.length + 1
    this.#lines++
    return {
      bytes,
      lineBytes: bytes.length,
      byteOffset,
      terminated: true,
      // Half a character can't be encoded.
      isUtf8: typeof line === 'string' ? line.isWellFormed() : isUtf8(bytes),
      number: this.#lines,
      maxLineBytes: defaultMaxLineBytes,
    }
  }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function withoutBreak(line: Buffer): Buffer {
  const end = line.at(-1) === newline ? line.length - 1 : line.length
  return line.subarray(0, line[end - 1] === carriageReturn ? end - 1 : end)
}
