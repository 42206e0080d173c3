import { addIndex, type IndexRun } from '../../records/block-outcome.ts'
import { type CompletenessTracker, type DocumentMeta, totalCap } from '../../sources/completeness.ts'
import type { ScannedLine } from './line-batch.ts'

/** One answer to a request, from its first line on, judged on its own. */
export class Attempt {
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly tracker: CompletenessTracker
  readonly #ids = new Set<string>()
  #indexes: IndexRun[] = []
  #total: number | null = null
  #last = -1
  /** Lines since the last index that have none: each may be one that is missing. */
  #pending = 0
  /** Records that came again. */
  skipped = 0

  constructor(isFirst: boolean, isLast: boolean, tracker: CompletenessTracker) {
    this.isFirst = isFirst
    this.isLast = isLast
    this.tracker = tracker
  }

  /** The index that the next line should have, as far as is known. */
  get nextIndex(): number {
    return this.#last + this.#pending + 1
  }

  /** True of an index behind all that came before, as those of a whole answer are; and of none at all. */
  isInOrder(index: number | null): boolean {
    return index === null || index > this.#last
  }

  /** The first index that is missing before a line. */
  findGap({ index }: ScannedLine): number | null {
    return index !== null && index > this.nextIndex ? this.#last + 1 : null
  }

  /** The total that was stated before, where a line states another one. */
  findOtherTotal({ total }: ScannedLine): number | null {
    return total === null || total === this.#total ? null : this.#total
  }

  isBeyondTotal({ index, total }: ScannedLine): boolean {
    return index !== null && total !== null && index >= total && total !== totalCap
  }

  /** False if the id came before. */
  addId(id: string): boolean {
    const isNew = !this.#ids.has(id)
    this.#ids.add(id)
    return isNew
  }

  add({ kind, index, total }: ScannedLine): void {
    if (kind === 'blank') return
    // A scan does not distinguish a line that states no index from one that can't be read.
    addIndex(this.#indexes, index ?? 'unreadable', total)
    this.#total ??= total
    if (index === null) this.#pending++
    else {
      this.#last = Math.max(this.#last, index)
      this.#pending = 0
    }
  }

  /** Hands what was added to the tracker, a batch at a time. */
  flush(document?: DocumentMeta): void {
    this.tracker.add({ indexes: this.#indexes, isCut: false })
    this.#indexes = []
    if (document !== undefined) this.tracker.addDocument(document, 0)
  }
}
