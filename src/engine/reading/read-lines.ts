import { createHash, type Hash } from 'node:crypto'
import type { RequiredContext } from '../../run-context.ts'
import { CatalogueError, interrupted } from '../../errors.ts'
import type { BlockBuffers } from '../../records/memory/block-buffers.ts'
import type { Block } from '../../records/block.ts'
import { formatStreamError } from '../../records/parse-line.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { CompletenessTracker, type DeliveryTracker, joinCompleteness } from '../../sources/completeness.ts'
import type { LinePlace, Reject } from '../../records/reject.ts'
import type { Source } from '../../sources/source.ts'
import { compilePlaces, shareOutcome } from './block-parts.ts'
import { mapInOrder } from './map-in-order.ts'
import { readBlocks, type ReadStep } from './read-blocks.ts'
import { judgedAlone, type SourceReading, unjudged, type LineOutcome } from './source-reading.ts'
import type { Completeness, SourceReport } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

export interface ProcessedBlock<Outcome extends LineOutcome> {
  readonly blockNumber: number
  readonly bytes: number
  readonly outcome: Outcome
  /** Finds the place of a rejected line. Ask in line order, and before taking the next block. */
  readonly locate: (reject: Reject) => LinePlace
}

export interface ReadOptions<Outcome extends LineOutcome> extends RequiredContext<'signal'> {
  /** Processes a block, which it may keep. */
  readonly process: (block: Block, blockNumber: number) => Outcome | Promise<Outcome>
  /** Most blocks in work at a time, asked before each. Default 1. */
  readonly ahead?: () => number
  release?(outcome: Outcome): void
  readonly buffers?: BlockBuffers | undefined
  readonly mostLines: number
  readonly parts: boolean
  /** Creates the tracker of a source, in reading order. Default: judges by the indexes of lines. */
  readonly openTracker?: (() => DeliveryTracker) | undefined
  readonly limit: number | null
  readonly onSource?: ((name: string) => void) | undefined
}

export interface ReadEnd {
  readonly sources: readonly SourceReport[]
  readonly completeness: Completeness
  /** SHA-256 over the digests of the blocks, which are computed while processing them. */
  readonly inputDigest: string
}

/**
 * Reads the sources in turn, block by block. Blocks are processed in parallel and yielded in order. Throws
 * SOURCE_ERROR_LINE on an error line and INTERRUPTED when `signal` aborts.
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
    const { ahead = () => 1, signal, openTracker = judgedAlone.open } = this.#options
    const options = { ...this.#options, trackers: { parts: this.#parts, open: openTracker } }
    const read = (stop: AbortSignal) => readBlocks(this.#sources, { ...options, signal: stop })
    const order = {
      signal,
      get ahead() {
        return ahead()
      },
    }
    let current: SourceReading | undefined
    for await (const { parts, processed } of mapInOrder(read, (step) => this.#process(step), order)) {
      current = parts.at(-1)?.reading
      if (signal.aborted) break
      if (processed !== null) {
        const { outcome, blockNumber, bytes, byteOffset } = processed
        yield { blockNumber, bytes, outcome, locate: compilePlaces(parts, byteOffset) }
        if (outcome.digest !== undefined) this.#digest.update(outcome.digest)
        // After the block, so that the rejects before the error are kept.
        if (outcome.streamError !== null) throw errorLine(outcome.streamError, compilePlaces(parts, byteOffset))
        if (outcome.failure !== undefined) throw ownFailure(outcome.failure, compilePlaces(parts, byteOffset))
        shareOutcome(parts, outcome)
        this.#options.release?.(outcome)
      }
      for (const { reading, isEnd } of parts) if (isEnd) this.#reports.push(reading.report())
    }
    if (signal.aborted) throw this.#interrupted(current)
  }

  /** Call once, after the last block. */
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
            limit,
            reasons: [`a sample was read, on purpose (limit ${formatCount(limit)})`],
          }
    return { sources, completeness, inputDigest: this.#digest.digest('hex') }
  }

  async #process({ parts, block, blockNumber }: ReadStep) {
    if (block === null) return { parts, processed: null }
    const { byteOffset } = block
    const bytes = block.bytes.length + block.droppedBytes
    const outcome = await this.#options.process(block, blockNumber)
    return { parts, processed: { blockNumber, bytes, byteOffset, outcome } }
  }

  #interrupted(reading: SourceReading | undefined): CatalogueError {
    const name = reading?.source.name ?? this.#sources[0]?.name
    return interrupted(`${name}: the run`, { where: ` after line ${reading?.lines ?? 0}` })
  }
}

/** Judges parts without a verdict of their own together. */
export function judgeParts(
  sources: readonly SourceReport[],
  together: Pick<DeliveryTracker, 'finish'>,
): Pick<SourceReport, 'name' | 'completeness'>[] {
  const judged = sources.filter(({ completeness }) => completeness !== unjudged)
  if (judged.length > 0 && judged.length === sources.length) return judged
  return [...judged, { name: 'the parts together', completeness: together.finish() }]
}

function errorLine(
  { lineInBlock, error }: NonNullable<BlockOutcome['streamError']>,
  locate: ReturnType<typeof compilePlaces>,
): CatalogueError {
  const { source, line } = locate({ lineInBlock, byteOffset: 0 })
  return new CatalogueError('SOURCE_ERROR_LINE', `${source}, line ${line}: ${formatStreamError(error)}`)
}

function ownFailure(
  { lineInBlock, error }: NonNullable<BlockOutcome['failure']>,
  locate: ReturnType<typeof compilePlaces>,
): CatalogueError {
  const { source, line } = locate({ lineInBlock, byteOffset: 0 })
  return error.at(`${source}, line ${line}`)
}
