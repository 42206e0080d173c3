import { withVersion } from '../../contracts/given-values.ts'
import type { BlockBuffers } from '../../records/memory/block-buffers.ts'
import { noBytes } from '../../records/memory/copy-bytes.ts'
import { type Block, defaultBlockBytes } from '../../records/block.ts'
import { findLineBreak, isBlank } from '../../records/raw-line.ts'
import type { Source, WholeLines } from '../../sources/source.ts'
import type { BlockPart, LinesOfPart } from './block-parts.ts'
import type { SourceReading } from './source-reading.ts'

/**
 * Joins the lines of small sources of one version into one block, as a block per source would cost more than its lines.
 */
export class JoinedBlock {
  readonly #buffers: BlockBuffers
  readonly #mostLines: number
  readonly #open: (source: Source) => SourceReading
  #bytes: Buffer = noBytes
  #end = 0
  #lines = 0
  #parts: BlockPart[] = []
  #version: Source['interfaceVersion']

  constructor(buffers: BlockBuffers, mostLines: number, open: (source: Source) => SourceReading) {
    this.#buffers = buffers
    this.#mostLines = mostLines
    this.#open = open
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** True after a line without a line break, as nothing can follow it. */
  get isFull(): boolean {
    return this.#end > 0 && this.#bytes[this.#end - 1] !== newline
  }

  /** Adds at most `most` lines of a source and returns their number. Null if they don't fit, and nothing is added. */
  add(source: Source, most: number): number | null {
    if (source.readWhole === undefined) return null
    if (!this.isEmpty && source.interfaceVersion !== this.#version) return null
    if (this.#bytes.length === 0) this.#bytes = this.#buffers.take(defaultBlockBytes)
    const room = this.#bytes.subarray(this.#end, defaultBlockBytes)
    if ((source.bytes ?? 0) >= room.length) return null
    const whole = source.readWhole(room)
    if (whole === null) return null
    const lines = countLines(room.subarray(0, whole.bytes), most)
    return this.#lines + lines.all > this.#mostLines ? null : this.#add(source, whole, lines)
  }

  #add(source: Source, { byteOffset }: WholeLines, { bytes, ...lines }: CountedLines): number {
    this.#parts.push({ reading: this.#open(source), bytes, start: this.#end, byteOffset, lines, isEnd: true })
    this.#end += bytes
    this.#lines += lines.all
    this.#version = source.interfaceVersion
    return lines.all
  }

  /**
   * Takes the block and its parts; the next source starts a new block. The block is null if its sources have no lines.
   */
  take(): { readonly block: Block | null; readonly parts: readonly BlockPart[] } {
    const [buffers, buffer, end, parts] = [this.#buffers, this.#bytes, this.#end, this.#parts]
    const unterminated = this.isFull
    this.#parts = []
    if (end === 0) return { block: null, parts }
    this.#bytes = noBytes
    this.#end = this.#lines = 0
    const bytes = buffer.subarray(0, end)
    const block = { bytes, byteOffset: 0, droppedBytes: 0, unterminated, release: () => buffers.release(buffer) }
    return {
      block: withVersion<Block>(block, this.#version),
      parts: parts.map((part, at) => (at < parts.length - 1 ? part : { ...part, lines: null })),
    }
  }
}

interface CountedLines extends LinesOfPart {
  readonly bytes: number
}

function countLines(bytes: Buffer, most: number): CountedLines {
  let [start, all, filled] = [0, 0, 0]
  for (; start < bytes.length && all < most; all++) {
    const end = findLineBreak(bytes, start)
    const isFilled = (bytes[start] as number) > space || !isBlank({ bytes: bytes.subarray(start, end) })
    if (isFilled) filled++
    start = Math.min(end + 1, bytes.length)
  }
  return { bytes: start, all, filled }
}

const newline = 0x0a
const space = 0x20
