import { joinCompleteness, type Completeness } from '../sources/completeness.ts'
import { IdDeduplicator } from './id-deduplicator.ts'
import { unread, type BatchReader, type LineBatch } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'

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
