import { joinCompleteness } from '../../sources/completeness.ts'
import { type BatchReader, type LineBatch, selectLines, unread } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'
import type { Completeness } from '../../manifest/manifest.ts'

export interface NamedReader {
  /** In reasons of a verdict. */
  readonly name: string
  readonly reader: BatchReader
}

/** Several readers after one another, as one: a record that comes in more than one is taken once. */
export class ConcatenatedReader implements BatchReader {
  readonly #parts: readonly NamedReader[]
  readonly #log: ReadLog
  #completeness: Completeness = unread

  constructor(parts: readonly NamedReader[], log: ReadLog) {
    this.#parts = parts
    this.#log = log
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *batches(signal: AbortSignal): AsyncGenerator<LineBatch> {
    const ids = new IdDeduplicator(this.#log)
    for (const { reader } of this.#parts) yield* ids.leaveOut(reader.batches(signal))
    const joined = joinParts(this.#parts)
    this.#completeness = { ...joined, total: joined.total === null ? null : joined.total - ids.leftOut }
  }
}

/** The verdict over all parts; to be asked once each was read. */
export function joinParts(parts: readonly NamedReader[]): Completeness {
  return joinCompleteness(parts.map(({ name, reader }) => ({ name, completeness: reader.completeness() })))
}

/** The ids that came, each as it is: a hash would lose one record in a great many. */
export class IdDeduplicator {
  readonly #ids = new Set<string>()
  readonly #log: ReadLog
  /** Lines that are not blank and were not left out. */
  kept = 0
  leftOut = 0

  constructor(log: ReadLog) {
    this.#log = log
  }

  /** The lines whose record did not come before. */
  async *leaveOut(batches: AsyncIterable<LineBatch>): AsyncGenerator<LineBatch> {
    for await (const batch of batches) {
      const before = this.leftOut
      const kept = selectLines(batch, ({ kind, id }) => {
        const isRepeated = id !== null && this.#ids.has(id)
        if (isRepeated) this.leftOut++
        else if (kind !== 'blank') this.kept++
        if (id !== null) this.#ids.add(id)
        return !isRepeated
      })
      this.#log.skipped(this.leftOut - before)
      if (kept.bytes.length > 0) yield kept
    }
  }
}
