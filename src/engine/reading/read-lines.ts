import { createHash, type Hash } from 'node:crypto'
import type { RequiredContext } from '../../run-context.ts'
import { CatalogueError } from '../../errors.ts'
import type { BlockBuffers } from '../../memory/block-buffers.ts'
import type { Block } from '../../records/block.ts'
import { formatStreamError } from '../../records/parse-line.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { CompletenessTracker, joinCompleteness, type Completeness } from '../../sources/completeness.ts'
import type { Source } from '../../sources/source.ts'
import { mapInOrder } from './map-in-order.ts'
import { SourceReading, unjudged, type LineOutcome, type SourceReport } from './source-reading.ts'
import { stopOnAbort } from './stop-on-abort.ts'

/** One block on its way through a run. */
export interface ProcessedBlock<Outcome extends LineOutcome> {
  readonly source: Source
  /** 0-based, over all sources. */
  readonly blockNumber: number
  /** Lines of the source before this block. */
  readonly linesBefore: number
  readonly bytes: number
  /** False where the lines were made from a JSON document: their places are not those of the file. */
  readonly hasByteOffsets: boolean
  readonly outcome: Outcome
}

export interface ReadOptions<Outcome extends LineOutcome> extends RequiredContext<'signal'> {
  /** Is given the block for good. */
  readonly process: (block: Block, blockNumber: number) => Outcome | Promise<Outcome>
  /** Number of blocks that may be under way at a time. Default 1. */
  readonly ahead?: number
  /** Memory for the blocks. */
  readonly buffers?: BlockBuffers | undefined
  /** The sources together are one stream. */
  readonly parts: boolean
  /** Read no more lines than this, of all sources together. */
  readonly limit: number | null
  /** When a source begins to be read. */
  readonly onSource?: ((name: string) => void) | undefined
}

/** The result of reading every source. */
export interface ReadEnd {
  readonly sources: readonly SourceReport[]
  readonly completeness: Completeness
  /** SHA-256 over the digests of the blocks, which are made where these are processed. */
  readonly inputDigest: string
}

/** A step of the reading: a block that is not yet processed, or null where a source ends. */
interface ReadStep {
  readonly reading: SourceReading
  readonly block: Block | null
  readonly blockNumber: number
}

/**
 * Reads the sources one after the other, block by block; some blocks are processed while the next are read, and all are
 * given in order. Throws SOURCE_ERROR_LINE on an error line and INTERRUPTED once `signal` aborts.
 */
export class LineReader<Outcome extends LineOutcome> {
  readonly #sources: readonly Source[]
  readonly #options: ReadOptions<Outcome>
  readonly #digest: Hash = createHash('sha256')
  readonly #reports: SourceReport[] = []
  readonly #parts: CompletenessTracker | null

  constructor(sources: readonly Source[], options: ReadOptions<Outcome>) {
    this.#sources = sources
    this.#options = options
    this.#parts = options.parts ? new CompletenessTracker() : null
  }

  async *blocks(): AsyncGenerator<ProcessedBlock<Outcome>> {
    const { ahead = 1, signal } = this.#options
    const read = (stop: AbortSignal) => this.#read(stop)
    let current: SourceReading | null = null
    for await (const { reading, processed } of mapInOrder(read, (step) => this.#process(step), { ahead, signal })) {
      current = reading
      if (signal.aborted) break
      if (processed === null) {
        this.#reports.push(reading.report())
        continue
      }
      const { source, hasByteOffsets, lines: linesBefore } = reading
      yield { source, hasByteOffsets, linesBefore, ...processed }
      const { outcome, bytes } = processed
      if (outcome.digest !== undefined) this.#digest.update(outcome.digest)
      // After the block, so that the rejects before the error are kept.
      if (outcome.streamError !== null) throw errorLine(source, linesBefore, outcome.streamError)
      reading.take(outcome, bytes)
    }
    if (signal.aborted) throw this.#interrupted(current)
  }

  /** To be asked once, after the last block. */
  end(): ReadEnd {
    const { limit } = this.#options
    const sources = this.#reports
    const joined = joinCompleteness(this.#parts === null ? sources : judgeParts(sources, this.#parts))
    const completeness: Completeness =
      limit === null
        ? joined
        : {
            ...joined,
            status: 'incomplete',
            reasons: [`a sample was read, on purpose (limit ${limit.toLocaleString('en')})`],
          }
    return { sources, completeness, inputDigest: this.#digest.digest('hex') }
  }

  async *#read(stop: AbortSignal): AsyncGenerator<ReadStep> {
    let linesLeft = this.#options.limit ?? Number.POSITIVE_INFINITY
    let blockNumber = 0
    for (const source of this.#sources) {
      if (linesLeft <= 0 || stop.aborted) return
      this.#options.onSource?.(source.name)
      const reading = new SourceReading(source, this.#parts, { signal: stop, buffers: this.#options.buffers })
      for await (const whole of stopOnAbort(reading.blocks, stop)) {
        const { block, lines } =
          linesLeft === Number.POSITIVE_INFINITY ? { block: whole, lines: 0 } : firstLines(whole, linesLeft)
        linesLeft -= lines
        yield { reading, block, blockNumber: blockNumber++ }
        if (linesLeft <= 0) break
      }
      if (!stop.aborted) yield { reading, block: null, blockNumber }
    }
  }

  async #process({ reading, block, blockNumber }: ReadStep) {
    const { process } = this.#options
    if (block === null) return { reading, processed: null }
    const bytes = block.bytes.length + block.droppedBytes
    const outcome = await process(block, blockNumber)
    return { reading, processed: { blockNumber, bytes, outcome } }
  }

  #interrupted(reading: SourceReading | null): CatalogueError {
    const name = reading?.source.name ?? this.#sources[0]?.name
    return new CatalogueError('INTERRUPTED', `${name}: the run was asked to stop after line ${reading?.lines ?? 0}`)
  }
}

/** The parts that have no verdict of their own are judged together. */
function judgeParts(
  sources: readonly SourceReport[],
  together: CompletenessTracker,
): Pick<SourceReport, 'name' | 'completeness'>[] {
  const judged = sources.filter(({ completeness }) => completeness !== unjudged)
  if (judged.length > 0 && judged.length === sources.length) return judged
  return [...judged, { name: 'the parts together', completeness: together.finish() }]
}

/** The block up to its nth line, and how many lines that are. */
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

function errorLine(
  source: Source,
  linesBefore: number,
  { lineInBlock, error }: NonNullable<BlockOutcome['streamError']>,
): CatalogueError {
  const line = linesBefore + lineInBlock + 1
  return new CatalogueError('SOURCE_ERROR_LINE', `${source.name}, line ${line}: ${formatStreamError(error)}`)
}
