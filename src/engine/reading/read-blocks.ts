import { setImmediate } from 'node:timers/promises'
import { withVersion } from '../../contracts/given-values.ts'
import { BlockBuffers } from '../../records/memory/block-buffers.ts'
import type { Block } from '../../records/block.ts'
import { divideBlock } from '../../records/divide-block.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Reading, Source } from '../../sources/source.ts'
import type { BlockPart } from './block-parts.ts'
import { JoinedBlock } from './joined-block.ts'
import { judgedAlone, SourceReading, type Trackers } from './source-reading.ts'
import { stopOnAbort } from './stop-on-abort.ts'

export interface ReadBlocksOptions extends RequiredContext<'signal'> {
  readonly buffers?: BlockBuffers | undefined
  /** See `mostLinesOf`. Readings with the same block numbers need the same value. */
  readonly mostLines: number
  readonly trackers?: Trackers | undefined
  readonly limit: number | null
  readonly onSource?: ((name: string) => void) | undefined
}

export interface ReadStep {
  /** Null if sources end without a further line. */
  readonly block: Block | null
  /** From 0, across all sources. */
  readonly blockNumber: number
  readonly parts: readonly BlockPart[]
}

/**
 * Reads the sources in turn, block by block. A block may hold several small files. Blocks are determined by the bytes
 * of the sources and the maximum number of lines.
 */
export function readBlocks(sources: readonly Source[], options: ReadBlocksOptions): AsyncGenerator<ReadStep> {
  return new BlocksReading(options).read(sources)
}

class BlocksReading {
  readonly #options: ReadBlocksOptions
  readonly #buffers: BlockBuffers
  readonly #joined: JoinedBlock
  readonly #trackers: Trackers
  #linesLeft: number
  #blocks = 0

  constructor(options: ReadBlocksOptions) {
    const { buffers = new BlockBuffers(), mostLines, limit, trackers = judgedAlone } = options
    this.#trackers = trackers
    this.#options = options
    this.#buffers = buffers
    this.#joined = new JoinedBlock(buffers, mostLines, (source) => new SourceReading(source, nothingLeft, trackers))
    this.#linesLeft = limit ?? Number.POSITIVE_INFINITY
  }

  async *read(sources: readonly Source[]): AsyncGenerator<ReadStep> {
    const { onSource, signal } = this.#options
    for (const source of sources) {
      if (this.#linesLeft <= 0 || signal.aborted) break
      onSource?.(source.name)
      const isJoined = yield* this.#join(source)
      if (!isJoined) yield* this.#readStream(source)
    }
    yield* this.#takeJoined()
  }

  /** Joins a small file to those before it. If it has to be streamed, yields what is joined and returns false. */
  async *#join(source: Source): AsyncGenerator<ReadStep, boolean> {
    let lines = this.#joined.add(source, this.#linesLeft)
    if (lines === null && !this.#joined.isEmpty) {
      yield* this.#takeJoined()
      lines = this.#joined.add(source, this.#linesLeft)
    }
    if (lines === null) return false
    this.#linesLeft -= lines
    if (this.#joined.isFull) yield* this.#takeJoined()
    return true
  }

  async *#takeJoined(): AsyncGenerator<ReadStep> {
    if (this.#joined.isEmpty) return
    const { block, parts } = this.#joined.take()
    yield this.#toStep(block, parts)
    // Lets other tasks run.
    await setImmediate()
  }

  async *#readStream(source: Source): AsyncGenerator<ReadStep> {
    const { mostLines, signal } = this.#options
    const reading = new SourceReading(source, source.read(signal, this.#buffers), this.#trackers)
    for await (const whole of stopOnAbort(reading.blocks, signal)) {
      const taken = this.#takeLines(withVersion(whole, source.interfaceVersion))
      for (const block of divideBlock(taken, mostLines, this.#buffers))
        yield this.#toStep(block, [toPart(reading, block)])
      if (this.#linesLeft <= 0) break
    }
    if (!signal.aborted) yield this.#toStep(null, [{ ...toPart(reading, null), isEnd: true }])
  }

  #takeLines(whole: Block): Block {
    if (this.#linesLeft === Number.POSITIVE_INFINITY) return whole
    const { block, lines } = firstLines(whole, this.#linesLeft)
    this.#linesLeft -= lines
    return block
  }

  #toStep(block: Block | null, parts: readonly BlockPart[]): ReadStep {
    return { block, parts, blockNumber: block === null ? this.#blocks : this.#blocks++ }
  }
}

/** For sources that have been read already. */
const nothingLeft: Reading = { blocks: (async function* () {})(), document: () => null }

function toPart(reading: SourceReading, block: Block | null): BlockPart {
  const { bytes, droppedBytes, byteOffset } = block ?? { bytes: { length: 0 }, droppedBytes: 0, byteOffset: 0 }
  return { reading, bytes: bytes.length + droppedBytes, start: 0, byteOffset, lines: null, isEnd: false }
}

function firstLines(block: Block, most: number): { readonly block: Block; readonly lines: number } {
  const { bytes } = block
  let end = 0
  let lines = 0
  while (lines < most && end < bytes.length) {
    const found = bytes.indexOf(0x0a, end)
    end = found < 0 ? bytes.length : found + 1
    lines++
  }
  if (end === bytes.length) return { block, lines }
  return { block: { ...block, bytes: bytes.subarray(0, end), droppedBytes: 0, unterminated: false }, lines }
}
