import { joinCompleteness, type Completeness } from '../sources/completeness.ts'
import { unread, type LineReading } from './line-reader.ts'
import type { ReadLog } from './read-log.ts'
import { IdDeduplicator } from './id-deduplicator.ts'

/** Several readings after one another, as one: a record that comes in more than one is taken once. */
export class ConcatenatedReader implements LineReading {
  readonly #parts: readonly { readonly name: string; readonly reading: LineReading }[]
  readonly #notes: ReadLog
  #completeness: Completeness = unread

  constructor(parts: readonly { readonly name: string; readonly reading: LineReading }[], notes: ReadLog) {
    this.#parts = parts
    this.#notes = notes
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *lines(signal: AbortSignal): AsyncGenerator<Buffer> {
    const seen = new IdDeduplicator(this.#notes)
    for (const { reading } of this.#parts) yield* seen.leaveOut(reading.lines(signal))
    const joined = joinCompleteness(
      this.#parts.map(({ name, reading }) => ({ name, completeness: reading.completeness() })),
    )
    this.#completeness = { ...joined, total: joined.total === null ? null : joined.total - seen.leftOut }
  }
}
