import { createHash, type Hash } from 'node:crypto'
import { CatalogueError } from '../errors.ts'
import type { Block } from '../records/block.ts'
import { formatStreamError } from '../records/format-stream-error.ts'
import type { BlockOutcome, ProcessBlock, RepeatedLines } from '../records/process-block.ts'
import type { LandedFrom, Source, SourceNotes } from '../sources/source.ts'
import { CompletenessTracker, joinCompleteness, type Completeness } from '../sources/completeness.ts'
import { untilAborted } from './until-aborted.ts'

/** One block on its way through a run. */
export interface ProcessedBlock {
  readonly source: Source
  /** 0-based, over all sources. */
  readonly blockNumber: number
  /** Lines of the source before this block. */
  readonly linesBefore: number
  readonly bytes: number
  /** False where the lines were made from a JSON document: their places are not those of the file. */
  readonly hasByteOffsets: boolean
  readonly outcome: BlockOutcome
}

export interface ReadOptions {
  readonly process: ProcessBlock
  readonly repeatedLines: (blockNumber: number) => RepeatedLines | undefined
  /** The sources together are one stream. */
  readonly parts: boolean
  /** Read no more lines than this, of all sources together. */
  readonly limit: number | null
  readonly signal: AbortSignal
}

export interface SourceReport {
  readonly name: string
  readonly lines: number
  readonly bytes: number
  readonly completeness: Completeness
  /** Of a file that `fetch` landed: where its lines come from. */
  readonly landed?: LandedFrom
  /** Of a source of the service, or landed from there: what happened on the way. */
  readonly notes?: SourceNotes
}

/** What is known once every source was read. */
export interface ReadEnd {
  readonly sources: readonly SourceReport[]
  readonly completeness: Completeness
  /** SHA-256 over all bytes read. */
  readonly inputDigest: string
}

/**
 * Reads the sources one after the other, block by block, each processed before the next is read. Throws
 * SOURCE_ERROR_LINE on an error line and INTERRUPTED once `signal` aborts.
 */
export class LineReader {
  readonly #sources: readonly Source[]
  readonly #options: ReadOptions
  readonly #digest: Hash = createHash('sha256')
  readonly #reports: SourceReport[] = []
  readonly #tracker = new CompletenessTracker()
  #linesLeft: number
  #blockNumber = 0

  constructor(sources: readonly Source[], options: ReadOptions) {
    this.#sources = sources
    this.#options = options
    this.#linesLeft = options.limit ?? Number.POSITIVE_INFINITY
  }

  async *blocks(): AsyncGenerator<ProcessedBlock> {
    for (const source of this.#sources) {
      if (this.#linesLeft <= 0) return
      yield* this.#readSource(source)
    }
  }

  /** To be asked after the last block. */
  end(): ReadEnd {
    const { parts, limit } = this.#options
    const joined = joinCompleteness(parts ? this.#judgeParts() : this.#reports)
    const completeness: Completeness =
      limit === null
        ? joined
        : { ...joined, status: 'incomplete', reasons: [`only the first ${limit} lines were read, on purpose`] }
    return { sources: this.#reports, completeness, inputDigest: this.#digest.digest('hex') }
  }

  /** The parts that have no verdict of their own are judged together. */
  #judgeParts(): Pick<SourceReport, 'name' | 'completeness'>[] {
    const judged = this.#reports.filter(({ completeness }) => completeness !== unjudged)
    if (judged.length > 0 && judged.length === this.#reports.length) return judged
    return [...judged, { name: 'the parts together', completeness: this.#tracker.finish() }]
  }

  async *#readSource(source: Source): AsyncGenerator<ProcessedBlock> {
    const { process, repeatedLines, parts, limit, signal } = this.#options
    const reading = source.read(signal)
    const isPart = parts && reading.completeness === undefined
    const tracker = isPart ? this.#tracker : new CompletenessTracker()
    let lines = 0
    let bytes = 0
    /** Records of a document that say nothing of their place, as an envelope does: the document says it. */
    let unplaced = 0
    for await (const whole of untilAborted(reading.blocks, signal)) {
      const block = limit === null ? whole : firstLines(whole, this.#linesLeft)
      this.#digest.update(block.bytes)
      const blockNumber = this.#blockNumber++
      const outcome = process(block, repeatedLines(blockNumber))
      const hasByteOffsets = reading.document() === null
      const isPlaced = hasByteOffsets || outcome.indexes.some((index) => typeof index === 'number')
      if (isPlaced) tracker.add(outcome)
      else unplaced += outcome.indexes.length
      const blockBytes = block.bytes.length + block.droppedBytes
      yield { source, blockNumber, linesBefore: lines, bytes: blockBytes, hasByteOffsets, outcome }
      // After the block, so that the rejects before the error are kept.
      if (outcome.streamError !== null) throw errorLine(source, lines, outcome.streamError)
      lines += outcome.counts.lines
      bytes += blockBytes
      this.#linesLeft -= outcome.counts.lines
      if (this.#linesLeft <= 0) break
    }
    if (signal.aborted)
      throw new CatalogueError('INTERRUPTED', `${source.name}: the run was asked to stop after line ${lines}`)
    const document = reading.document()
    if (document !== null && unplaced === lines) tracker.addDocument(document, lines)
    const completeness = isPart ? unjudged : (reading.completeness?.() ?? tracker.finish())
    const { name, landed } = source
    const notes = reading.notes?.()
    this.#reports.push({ name, lines, bytes, completeness, ...(landed && { landed }), ...(notes && { notes }) })
  }
}

/** A part of a stream says nothing on its own. */
const unjudged: Completeness = { status: 'unprovable', reasons: ['judged with the other parts'], total: null }

/** The block up to its nth line. */
function firstLines(block: Block, lines: number): Block {
  let end = 0
  for (let line = 0; line < lines; line++) {
    const found = block.bytes.indexOf(0x0a, end)
    if (found < 0) return block
    end = found + 1
    if (end === block.bytes.length) return block
  }
  return { ...block, bytes: block.bytes.subarray(0, end), droppedBytes: 0, unterminated: false }
}

function errorLine(
  source: Source,
  linesBefore: number,
  { lineInBlock, error }: NonNullable<BlockOutcome['streamError']>,
): CatalogueError {
  const line = linesBefore + lineInBlock + 1
  return new CatalogueError('SOURCE_ERROR_LINE', `${source.name}, line ${line}: ${formatStreamError(error)}`)
}
