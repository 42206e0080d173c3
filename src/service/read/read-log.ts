import type { SourceNotes } from '../../sources/source.ts'
import type { MissingIdentifiers } from '../../manifest/manifest.ts'

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

  /** Gives no warning: the client does so before it waits. */
  repeated(reason: string): void {
    this.#repeats.push(reason)
  }

  changed(change: string): void {
    this.#changes.push(change)
    this.#onWarning(change)
  }

  skipped(records: number): void {
    this.#skippedRecords += records
  }

  setMissing(missing: readonly MissingIdentifiers[]): void {
    this.#missing = missing
  }

  read(): SourceNotes {
    return {
      firstAnswerAt: this.#firstAnswerAt,
      repeats: [...this.#repeats],
      changes: [...this.#changes],
      skippedRecords: this.#skippedRecords,
      missing: this.#missing,
    }
  }
}
