/** A run of whole lines, as bytes, with where they came from. */
export interface Block {
  /** The lines, each with its line break; the last one of a source may lack it. */
  readonly bytes: Buffer
  /** Position of `bytes[0]` in the (decompressed) source. */
  readonly byteOffset: number
  /** Bytes of an oversized last line, its line break included, that were not kept. */
  readonly droppedBytes: number
  /** The source ended without a final line break. */
  readonly unterminated: boolean
}

export interface CutOptions {
  /** A block ends at the first line break at or after this many bytes. */
  readonly blockBytes?: number
  /** Longer lines are not kept whole. */
  readonly maxLineBytes?: number
}

export const defaultBlockBytes = 1024 * 1024
export const defaultMaxLineBytes = 16 * 1024 * 1024

const newline = 0x0a
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Cuts bytes into blocks of whole lines. Where a block ends follows from the bytes alone, never from how they were
 * read, so that everything made from a block is the same in every run. A byte order mark at the start is left out.
 * Memory is bounded by `blockBytes` + the longer of `blockBytes` and `maxLineBytes`.
 */
export class BlockCutter {
  readonly #blockBytes: number
  readonly #longestLine: number
  #parts: Buffer[] = []
  #bytes = 0
  #lineStart = 0
  #dropped = 0
  #offset = 0

  constructor({ blockBytes = defaultBlockBytes, maxLineBytes = defaultMaxLineBytes }: CutOptions = {}) {
    this.#blockBytes = blockBytes
    this.#longestLine = Math.max(blockBytes, maxLineBytes)
  }

  /** Takes the next bytes and yields every block that they complete, a copy that nobody else has. The caller must not
   * change the bytes before that. */
  *push(chunk: Buffer): Generator<Block> {
    let rest = chunk
    while (rest.length > 0) {
      const end = rest.indexOf(newline, Math.max(0, this.#blockBytes - 1 - this.#bytes))
      if (end < 0) {
        this.#keep(rest)
        return
      }
      this.#keep(rest.subarray(0, end + 1), true)
      yield this.#take(false)
      rest = rest.subarray(end + 1)
    }
  }

  /** Yields what is left after the last bytes. */
  *end(): Generator<Block> {
    const last = this.#parts.at(-1)
    if (last === undefined) return
    const block = this.#take(this.#dropped > 0 || last.at(-1) !== newline)
    if (block.bytes.length > 0) yield block
  }

  /** Adds bytes of the current block; of a line that is too long only the beginning (one byte over) is kept. */
  #keep(bytes: Buffer, complete = false): void {
    const lastBreak = bytes.subarray(0, complete ? -1 : undefined).lastIndexOf(newline)
    const lineStart = lastBreak < 0 ? this.#lineStart : this.#bytes + lastBreak + 1
    const mark = this.#offset + lineStart === 0 ? byteOrderMark.length : 0
    const room = Math.max(0, lineStart + mark + this.#longestLine + 1 - this.#bytes)
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes
    this.#dropped += bytes.length - kept.length
    if (kept.length > 0) this.#parts.push(kept)
    this.#bytes += kept.length
    this.#lineStart = lineStart
  }

  #take(unterminated: boolean): Block {
    const whole = Buffer.concat(this.#parts)
    const mark = this.#offset === 0 && whole.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0
    const block = {
      bytes: whole.subarray(mark),
      byteOffset: this.#offset + mark,
      droppedBytes: this.#dropped,
      unterminated,
    }
    this.#offset += whole.length + this.#dropped
    this.#parts = []
    this.#bytes = this.#lineStart = this.#dropped = 0
    return block
  }
}
