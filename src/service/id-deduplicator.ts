import { selectLines, type LineBatch } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'

/** The ids that came, each as it is: a hash would lose one record in a great many. */
export class IdDeduplicator {
  readonly #ids = new Set<string>()
  readonly #log: ReadLog
  #kept = 0
  #leftOut = 0

  constructor(log: ReadLog) {
    this.#log = log
  }

  get leftOut(): number {
    return this.#leftOut
  }

  /** Lines that are not blank and were not left out. */
  get kept(): number {
    return this.#kept
  }

  /** The lines whose record did not come before. */
  async *leaveOut(batches: AsyncIterable<LineBatch>): AsyncGenerator<LineBatch> {
    for await (const batch of batches) {
      const before = this.#leftOut
      const kept = selectLines(batch, ({ kind, id }) => {
        const isRepeated = id !== null && this.#ids.has(id)
        if (isRepeated) this.#leftOut++
        else if (kind !== 'blank') this.#kept++
        if (id !== null) this.#ids.add(id)
        return !isRepeated
      })
      this.#log.skipped(this.#leftOut - before)
      if (kept.bytes.length > 0) yield kept
    }
  }
}
