import { joinCompleteness } from '../../sources/completeness.ts'
import { type BatchReader, type LineBatch, selectLines, unread } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'
import type { Completeness } from '../../manifest/manifest.ts'

export interface NamedReader {
  readonly name: string
  readonly reader: BatchReader
}

/** Reads several readers one after another, and a record that is in more than one only once. */
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

/** The joint verdict over all parts. To be called after each was read to its end. */
export function joinParts(parts: readonly NamedReader[]): Completeness {
  return joinCompleteness(parts.map(({ name, reader }) => ({ name, completeness: reader.completeness() })))
}

/**
 * Leaves out records whose id was already read. It keeps the ids themselves: two ids with the same hash would lose a
 * record.
 */
export class IdDeduplicator {
  readonly #ids = new Set<string>()
  readonly #log: ReadLog
  /** Lines that are neither blank nor left out. */
  kept = 0
  leftOut = 0

  constructor(log: ReadLog) {
    this.#log = log
  }

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
