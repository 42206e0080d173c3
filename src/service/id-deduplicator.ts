import { keepLines } from './keep-lines.ts'
import type { ReadLog } from './read-log.ts'
import { scanLines } from './scan-lines.ts'

/** The ids that came, each as it is: a hash would lose one record in a great many. */
export class IdDeduplicator {
  readonly #ids = new Set<string>()
  readonly #notes: ReadLog
  #lines = 0
  #leftOut = 0

  constructor(notes: ReadLog) {
    this.#notes = notes
  }

  get leftOut(): number {
    return this.#leftOut
  }

  /** Lines that are not blank and were not left out. */
  get taken(): number {
    return this.#lines - this.#leftOut
  }

  /** The lines whose record did not come before. */
  async *leaveOut(runs: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const run of runs) {
      const before = this.#leftOut
      const kept = keepLines(run, scanLines(run, run.length), ({ kind, id }) => {
        if (kind !== 'blank') this.#lines++
        if (id === null) return true
        const isNew = !this.#ids.has(id)
        if (isNew) this.#ids.add(id)
        else this.#leftOut++
        return isNew
      })
      this.#notes.skipped(this.#leftOut - before)
      if (kept.length > 0) yield kept
    }
  }
}
