import type { Column, Row } from '../records/column.ts'

/** What every format is told of the file it writes. */
export interface OutputOptions {
  readonly columns: readonly Column[]
  /** Unique to the run; part of the staging name. */
  readonly token: string
  /** For the footer of a Parquet file. */
  readonly metadata: Readonly<Record<string, string>>
  /** How large a row group of a Parquet file may become. */
  readonly rowGroupBytes: number
}

/** Turns rows into the bytes of one format and hands them to a staged file. */
export interface FormatWriter {
  write(rows: readonly Row[]): Promise<void>
  finish(runId: string): Promise<void>
  abort(): Promise<void>
}
