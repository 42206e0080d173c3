import type { BlockBuffers } from './memory/block-buffers.ts'
import type { InterfaceVersion } from '../contracts/given-values.ts'
import { copyBytes, noBytes } from './memory/copy-bytes.ts'

/** A run of whole lines, as bytes, with its place in the source. */
export interface Block {
  /** The lines, each with its line break; the last one of a source may lack it. */
  readonly bytes: Buffer
  /** Position of `bytes[0]` in the (decompressed) source. */
  readonly byteOffset: number
  /** Bytes of an oversized last line, its line break included, that were not kept. */
  readonly droppedBytes: number
  /** The source ended without a final line break. */
  readonly unterminated: boolean
  /** The interface version of the records, if columns are from it. */
  readonly interfaceVersion?: InterfaceVersion | undefined
  /** Frees the memory of the bytes for other lines. The bytes stay in place if it is not called. */
  readonly release?: () => void
}

export interface CutOptions {
  /** A block ends at the first line break at or after this many bytes. */
  readonly blockBytes?: number
  /** Longer lines are not kept whole. */
  readonly maxLineBytes?: number
  /** The buffers that blocks take and release; default a new buffer for each. */
  readonly buffers?: BlockBuffers
  /** Position of the first byte in the (decompressed) source. Default 0. */
  readonly byteOffset?: number
}

/** Bytes in chunks. Each request may offer room for the next chunk: the bytes are read there, or are elsewhere. */
export type ByteChunks = AsyncGenerator<Buffer, void, Buffer | undefined>

export const defaultBlockBytes = 1024 * 1024
export const defaultMaxLineBytes = 16 * 1024 * 1024

const newline = 0x0a
/** Several lines of a usual length. */
const lineEndBytes = 32 * 1024
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Cuts bytes into blocks of whole lines. The end of a block depends on the bytes alone, never on how they were read:
 * everything made from a block is the same in every run. A byte order mark at the start is left out. It holds at most
 * twice `blockBytes` and twice the longest line.
 */
export class BlockCutter {
  readonly #blockBytes: number
  readonly #longestLine: number
  readonly #buffers: BlockBuffers | undefined
  #open: Buffer = noBytes
  #bytes = 0
  #lineStart = 0
  #dropped = 0
  #offset: number

  constructor({
    blockBytes = defaultBlockBytes,
    maxLineBytes = defaultMaxLineBytes,
    buffers,
    byteOffset = 0,
  }: CutOptions = {}) {
    this.#offset = byteOffset
    this.#blockBytes = blockBytes
    this.#buffers = buffers
    this.#longestLine = Math.max(blockBytes, maxLineBytes)
  }

  /** Yields the blocks of all chunks. Chunks are read straight into the buffer of the block if possible. */
  async *cut(chunks: ByteChunks): AsyncGenerator<Block> {
    try {
      for (;;) {
        const next = await chunks.next(this.#findRoom())
        if (next.done === true) break
        yield* this.push(next.value)
      }
      yield* this.end()
    } finally {
      await chunks.return()
    }
  }

  /**
   * Takes the next bytes, a copy of them, and yields every block that they complete. The caller must not change them
   * before it has taken the last.
   */
  *push(chunk: Buffer): Generator<Block> {
    let rest = this.#isInPlace(chunk) ? yield* this.#takeInPlace(chunk) : chunk
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

  /** Yields the whole lines that have come so far, for a reader that can't wait until a block is full. */
  *flush(): Generator<Block> {
    const whole = this.#lineStart
    if (whole === 0) return
    const [kept, dropped] = [this.#bytes, this.#dropped]
    const rest = Buffer.from(this.#open.subarray(whole, kept))
    this.#bytes = whole
    this.#dropped = 0
    const block = this.#take(false)
    this.#makeRoom(rest.length)
    copyBytes(rest, this.#open)
    this.#bytes = rest.length
    this.#dropped = dropped
    if (block.bytes.length > 0) yield block
  }

  *end(): Generator<Block> {
    if (this.#bytes === 0) return
    const block = this.#take(this.#dropped > 0 || this.#open[this.#bytes - 1] !== newline)
    if (block.bytes.length > 0) yield block
  }

  /**
   * Finds room for the next bytes of a block: up to the usual size, then a little at a time for the rest of its last
   * line, because bytes after that line have to be moved.
   */
  #findRoom(): Buffer | undefined {
    const from = this.#bytes
    if (this.#dropped > 0 || this.#buffers === undefined) return undefined
    if (from === 0) this.#makeRoom(this.#blockBytes)
    const usual = from < this.#blockBytes ? this.#blockBytes : from + lineEndBytes
    return this.#open.subarray(from, Math.min(usual, this.#lineStart + this.#longestLine))
  }

  /** True for bytes that were read into the room that the open block has. */
  #isInPlace({ buffer, byteOffset, length }: Buffer): boolean {
    const open = this.#open
    return buffer === open.buffer && byteOffset === open.byteOffset + this.#bytes && length > 0
  }

  /**
   * Takes bytes that already follow those of the block in its buffer. Returns those after a block that they complete.
   */
  *#takeInPlace(bytes: Buffer): Generator<Block, Buffer> {
    const end = bytes.indexOf(newline, Math.max(0, this.#blockBytes - 1 - this.#bytes))
    const lastBreak = end < 0 ? bytes.lastIndexOf(newline) : -1
    if (lastBreak >= 0) this.#lineStart = this.#bytes + lastBreak + 1
    this.#bytes += end < 0 ? bytes.length : end + 1
    if (end < 0) return noBytes
    // Who gets the block may write behind it.
    const rest = Buffer.from(bytes.subarray(end + 1))
    yield this.#take(false)
    return rest
  }

  /** Adds bytes of the current block; of a line that is too long only the beginning (one byte over) is kept. */
  #keep(bytes: Buffer, complete = false): void {
    const lastBreak = bytes.subarray(0, complete ? -1 : undefined).lastIndexOf(newline)
    const lineStart = lastBreak < 0 ? this.#lineStart : this.#bytes + lastBreak + 1
    const mark = this.#offset + lineStart === 0 ? byteOrderMark.length : 0
    const room = Math.max(0, lineStart + mark + this.#longestLine + 1 - this.#bytes)
    const kept = Math.min(bytes.length, room)
    this.#dropped += bytes.length - kept
    this.#makeRoom(this.#bytes + kept)
    copyBytes(bytes.subarray(0, kept), this.#open, this.#bytes)
    this.#bytes += kept
    this.#lineStart = lineStart
  }

  #makeRoom(bytes: number): void {
    const full = this.#open
    if (bytes <= full.length) return
    const size = Math.max(bytes, 2 * this.#bytes)
    this.#open = this.#buffers?.take(size) ?? Buffer.allocUnsafeSlow(size)
    copyBytes(full.subarray(0, this.#bytes), this.#open)
    this.#buffers?.release(full)
  }

  #take(unterminated: boolean): Block {
    const buffers = this.#buffers
    const open = this.#open
    const kept = this.#bytes
    const isMarked = this.#offset === 0 && open.subarray(0, Math.min(3, kept)).equals(byteOrderMark)
    const mark = isMarked ? byteOrderMark.length : 0
    const block = { byteOffset: this.#offset + mark, droppedBytes: this.#dropped, unterminated }
    this.#offset += kept + this.#dropped
    this.#bytes = this.#lineStart = this.#dropped = 0
    const bytes = open.subarray(mark, kept)
    if (buffers === undefined) return { ...block, bytes: Buffer.from(bytes) }
    this.#open = noBytes
    return { ...block, bytes, release: () => buffers.release(open) }
  }
}
