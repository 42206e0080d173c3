import { CatalogueError } from '../../errors.ts'
import type { BlockBuffers } from '../../records/memory/block-buffers.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import type { Block } from '../../records/block.ts'
import { findLineBreak, type RawLine, toRawLine } from '../../records/raw-line.ts'
import { hashRawText, toBeginning, toWholeText } from '../../records/reject.ts'
import type { Reading, Source } from '../source.ts'
import type { FixedLine, FixedLines, FixedTexts } from './fixed-lines.ts'

/**
 * A source with corrected lines in place of rejected ones. Its blocks are cut at these lines, so that all others keep
 * their place in the source. Reading throws SOURCE_CHANGED if a line is not the one that was rejected.
 */
export function replaceLines(source: Source, fixed: FixedLines): Source {
  const lines = fixed.of(source.name)
  if (lines.size === 0) return source
  const { readWhole: _, ...streamed } = source
  return {
    ...streamed,
    placeOf: (line) => {
      const own = lines.get(line)
      return own === undefined ? undefined : { sha256: own.sha256 }
    },
    read(signal, buffers) {
      const reading = source.read(signal, buffers)
      return { ...reading, blocks: replaceInBlocks(source.name, reading, lines, { fixed, buffers, signal }) }
    },
  }
}

interface ReplaceOptions {
  readonly fixed: FixedLines
  readonly buffers: BlockBuffers | undefined
  readonly signal: AbortSignal
}

async function* replaceInBlocks(
  source: string,
  { blocks }: Pick<Reading, 'blocks'>,
  lines: ReadonlyMap<number, FixedLine>,
  { fixed, buffers, signal }: ReplaceOptions,
): AsyncGenerator<Block> {
  const texts = fixed.openTexts()
  try {
    const replacer = new LineReplacer(source, lines, texts, buffers)
    for await (const block of blocks) yield* replacer.replace(block)
    if (!signal.aborted) replacer.end()
  } finally {
    texts.close()
  }
}

class LineReplacer {
  readonly #source: string
  readonly #left: FixedLine[]
  readonly #texts: FixedTexts
  readonly #buffers: BlockBuffers | undefined
  #at = 0
  /** The number of the first line of the next block. */
  #line = 1

  constructor(
    source: string,
    lines: ReadonlyMap<number, FixedLine>,
    texts: FixedTexts,
    buffers: BlockBuffers | undefined,
  ) {
    this.#source = source
    this.#left = [...lines.values()].toSorted((a, b) => a.line - b.line)
    this.#texts = texts
    this.#buffers = buffers
  }

  *replace(block: Block): Generator<Block> {
    // Blocks after the last corrected line are not searched.
    const spans = this.#at < this.#left.length ? this.#findLines(block) : []
    if (spans.length === 0) return yield block
    let from = 0
    for (const { fixed, start, end } of spans) {
      this.#check(fixed, toRawLine(block, start, end, false))
      if (start > from) yield this.#cut(block, from, start)
      yield this.#toBlock(fixed, block, start, end)
      from = Math.min(end + 1, block.bytes.length)
    }
    if (from < block.bytes.length) yield this.#cut(block, from, block.bytes.length)
    block.release?.()
  }

  /** Throws SOURCE_CHANGED if the source ended before the last corrected line. */
  end(): void {
    const missing = this.#left[this.#at]
    if (missing !== undefined) throw this.#changed(missing, `${this.#line - 1} lines`)
  }

  /** The corrected lines in a block, each with its start and its line break, or the end of the block. */
  #findLines({ bytes }: Block): { readonly fixed: FixedLine; readonly start: number; readonly end: number }[] {
    const found = []
    for (let start = 0; start < bytes.length; this.#line++) {
      const end = findLineBreak(bytes, start)
      const fixed = this.#left[this.#at]
      if (fixed?.line === this.#line) {
        found.push({ fixed, start, end })
        this.#at++
      }
      start = end + 1
    }
    return found
  }

  #check(fixed: FixedLine, line: RawLine): void {
    const { byteOffset, sha256 } = fixed
    const isThere = byteOffset === null || byteOffset === line.byteOffset
    const isSame = [toWholeText(line), toBeginning(line)].some((text) => hashRawText(text) === sha256)
    if (!isThere || !isSame) throw this.#changed(fixed, isSame ? 'it elsewhere in the file' : 'another one')
  }

  #changed({ line }: FixedLine, got: string): CatalogueError {
    const message = `${this.#source}, line ${line}: expected the line that was rejected there, got ${got}`
    return new CatalogueError('SOURCE_CHANGED', message, {
      fix: 'Run the pipeline again, and correct the rejects of that run: the source is another one by now.',
    })
  }

  /** Copies, because the receiver of a block may write after its bytes. */
  #cut(block: Block, start: number, end: number): Block {
    const isLast = end === block.bytes.length
    return {
      ...this.#copy(block.bytes.subarray(start, end)),
      byteOffset: block.byteOffset + start,
      droppedBytes: isLast ? block.droppedBytes : 0,
      unterminated: isLast && block.unterminated,
    }
  }

  #toBlock(fixed: FixedLine, block: Block, start: number, end: number): Block {
    const unterminated = block.unterminated && end >= block.bytes.length - 1
    const text = Buffer.from(this.#texts.read(fixed) + (unterminated ? '' : '\n'))
    return { ...this.#copy(text), byteOffset: block.byteOffset + start, droppedBytes: 0, unterminated }
  }

  #copy(bytes: Buffer): Pick<Block, 'bytes' | 'release'> {
    const buffers = this.#buffers
    if (buffers === undefined) return { bytes: Buffer.from(bytes) }
    const buffer = buffers.take(bytes.length)
    copyBytes(bytes, buffer)
    return { bytes: buffer.subarray(0, bytes.length), release: () => buffers.release(buffer) }
  }
}
