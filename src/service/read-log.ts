import type { MissingIdentifiers, SourceNotes } from '../sources/source.ts'

/** What is worth telling about one reading from the service, beside its lines. */
export type ReadReport = SourceNotes

/** Takes the notes while a reading goes on. */
export class ReadLog {
  readonly #onWarning: (message: string) => void
  #firstAnswerAt: Date | null = null
  readonly #repeats: string[] = []
  readonly #changes: string[] = []
  #skippedRecords = 0
  #missing: readonly MissingIdentifiers[] = []

  constructor(onWarning: (message: string) => void = () => undefined) {
    this.#onWarning = onWarning
  }

  answered(date: Date | null): void {
    this.#firstAnswerAt ??= date
  }

  /** Whoever waits to ask again says so. */
  repeated(reason: string): void {
    this.#repeats.push(reason)
  }

  changed(what: string): void {
    this.#changes.push(what)
    this.#onWarning(what)
  }

  skipped(records: number): void {
    this.#skippedRecords += records
  }

  found(missing: readonly MissingIdentifiers[]): void {
    this.#missing = missing
  }

  read(): ReadReport {
    return {
      firstAnswerAt: this.#firstAnswerAt,
      repeats: [...this.#repeats],
      changes: [...this.#changes],
      skippedRecords: this.#skippedRecords,
      missing: this.#missing,
    }
  }
}
