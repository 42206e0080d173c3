import type { IndexRun } from '../../records/block-outcome.ts'
import {
  CompletenessTracker,
  type DeliveryEvidence,
  type DeliveryTracker,
  type DocumentMeta,
} from '../../sources/completeness.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** Evidence of the records that a segment delivered, as plain data. A tracker of the whole stream judges it together with the other segments. */
export interface SegmentEvidence {
  /** First index, total and number of lines; consecutive runs are joined. */
  readonly runs: readonly (readonly [first: IndexRun['first'], total: IndexRun['total'], count: number])[]
  /** A JSON document whose records don't say where they belong. */
  readonly document: (DocumentMeta & { readonly records: number }) | null
  readonly isCut: boolean
}

export class EvidenceLog implements DeliveryTracker {
  readonly #runs: [first: IndexRun['first'], total: IndexRun['total'], count: number][] = []
  #document: SegmentEvidence['document'] = null
  #isCut = false

  add({ indexes, isCut }: DeliveryEvidence): void {
    for (const { first, total, count } of indexes) {
      const last = this.#runs.at(-1)
      if (last !== undefined && last[1] === total && follows(last, first)) last[2] += count
      else this.#runs.push([first, total, count])
    }
    if (isCut) this.#isCut = true
  }

  addDocument(document: DocumentMeta, records: number): void {
    this.#document = { ...document, records }
  }

  finish(): Completeness {
    return notJudged
  }

  list(): SegmentEvidence {
    return { runs: this.#runs, document: this.#document, isCut: this.#isCut }
  }
}

/** The verdict of a segment whose evidence is judged with the others. */
export const notJudged: Completeness = { status: 'unprovable', reasons: ['judged with the other shards'], total: null }

function follows([first, , count]: readonly [IndexRun['first'], unknown, number], next: IndexRun['first']): boolean {
  return typeof first === 'number' ? next === first + count : next === first
}

/** Adds the evidence of a segment to the tracker of its stream, as if the tracker had read the lines. */
export function replayEvidence(tracker: CompletenessTracker, { runs, document, isCut }: SegmentEvidence): void {
  tracker.add({ indexes: runs.map(([first, total, count]) => ({ first, total, count })), isCut })
  if (document !== null) tracker.addDocument(document, document.records)
}
