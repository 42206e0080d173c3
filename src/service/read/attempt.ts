import { addIndex, type IndexRun } from '../../records/block-outcome.ts'
import { type CompletenessTracker, type DocumentMeta, totalCap } from '../../sources/completeness.ts'
import type { ScannedLine } from './line-batch.ts'

/** One answer to a request, judged from its first line on. */
export class Attempt {
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly tracker: CompletenessTracker
  readonly #ids = new Set<string>()
  #indexes: IndexRun[] = []
  #total: number | null = null
  #last = -1
  /** Lines without an index since the last one that has one. Each may be one that seems missing. */
  #pending = 0
  /** Records that were already delivered. */
  skipped = 0

  constructor(isFirst: boolean, isLast: boolean, tracker: CompletenessTracker) {
    this.isFirst = isFirst
    this.isLast = isLast
    this.tracker = tracker
  }

  get nextIndex(): number {
    return this.#last + this.#pending + 1
  }

  /** True for an index above all before it, as in a whole answer, and for no index. */
  isInOrder(index: number | null): boolean {
    return index === null || index > this.#last
  }

  /** The first missing index before a line; null if there is no gap. */
  findGap({ index }: ScannedLine): number | null {
    return index !== null && index > this.nextIndex ? this.#last + 1 : null
  }

  /** The total that earlier lines stated; null unless this line states a different one. */
  findOtherTotal({ total }: ScannedLine): number | null {
    return total === null || total === this.#total ? null : this.#total
  }

  isBeyondTotal({ index, total }: ScannedLine): boolean {
    return index !== null && total !== null && index >= total && total !== totalCap
  }

  addId(id: string): boolean {
    const isNew = !this.#ids.has(id)
    this.#ids.add(id)
    return isNew
  }

  add({ kind, index, total }: ScannedLine): void {
    if (kind === 'blank') return
    // A scan does not distinguish a line without an index from an unreadable one.
    addIndex(this.#indexes, index ?? 'unreadable', total)
    this.#total ??= total
    if (index === null) this.#pending++
    else {
      this.#last = Math.max(this.#last, index)
      this.#pending = 0
    }
  }

  /** Passes on to the tracker what was added since the last call. */
  flush(document?: DocumentMeta): void {
    this.tracker.add({ indexes: this.#indexes, isCut: false })
    this.#indexes = []
    if (document !== undefined) this.tracker.addDocument(document, 0)
  }
}
