import type { Block } from '../../records/block.ts'
import { type BlockOutcome, countIndexes } from '../../records/block-outcome.ts'
import { CompletenessTracker, type DeliveryTracker, type DeliveryEvidence } from '../../sources/completeness.ts'
import type { Reading, Source } from '../../sources/source.ts'
import type { Completeness, SourceReport } from '../../manifest/manifest.ts'

export interface LineOutcome extends Omit<BlockOutcome, 'rows'> {
  /** Digest of the block's bytes. Without it the reading has no digest. */
  readonly digest?: string
}

export interface Trackers {
  /** Judges all sources without their own verdict together; null if each is judged alone. */
  readonly parts: DeliveryTracker | null
  readonly open: () => DeliveryTracker
}

export const judgedAlone: Trackers = { parts: null, open: () => new CompletenessTracker() }

/** A source during reading, with the facts from its processed blocks, taken in order. */
export class SourceReading {
  readonly source: Source
  readonly #reading: Reading
  readonly #tracker: DeliveryTracker
  readonly #isPart: boolean
  #lines = 0
  #bytes = 0
  /** Records of a document that don't state their place, as envelopes do; the document states it. */
  #unplaced = 0

  constructor(source: Source, reading: Reading, { parts, open }: Trackers) {
    this.source = source
    this.#reading = reading
    this.#isPart = parts !== null && reading.completeness === undefined
    this.#tracker = this.#isPart && parts !== null ? parts : open()
  }

  get blocks(): AsyncIterable<Block> {
    return this.#reading.blocks
  }

  get lines(): number {
    return this.#lines
  }

  /** False if the lines were made from a JSON document, so that their offsets are not those of the file. */
  get hasByteOffsets(): boolean {
    return this.#reading.document() === null
  }

  take(evidence: DeliveryEvidence, { lines, bytes }: { readonly lines: number; readonly bytes: number }): void {
    const { indexes } = evidence
    const isPlaced = this.hasByteOffsets || indexes.some(({ first }) => typeof first === 'number')
    if (isPlaced) this.#tracker.add(evidence)
    else this.#unplaced += countIndexes(indexes)
    this.#lines += lines
    this.#bytes += bytes
  }

  /** Call once, after the last block. */
  report(): SourceReport {
    const { name, landed } = this.source
    const notes = this.#reading.notes?.()
    const completeness = this.#judge()
    return {
      name,
      lines: this.#lines,
      bytes: this.#bytes,
      completeness,
      ...(landed && { landed }),
      ...(notes && { notes: { ...notes, firstAnswerAt: notes.firstAnswerAt?.toISOString() ?? null } }),
    }
  }

  #judge(): Completeness {
    const document = this.#reading.document()
    if (document !== null && this.#unplaced === this.#lines) this.#tracker.addDocument(document, this.#lines)
    if (this.#isPart) return unjudged
    return this.#reading.completeness?.() ?? this.#tracker.finish()
  }
}

/** The verdict on a part of a stream, which is judged with the others. */
export const unjudged: Completeness = { status: 'unprovable', reasons: ['judged with the other parts'], total: null }
