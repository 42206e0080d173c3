import type { Column } from '../../records/flatten/column.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import type { RowGroup } from '../../formats/parquet/row-group-cutter.ts'
import type { EncodedRowGroup } from '../../formats/parquet/row-group-encoder.ts'

/** What every format is told of the file it writes. */
export interface OutputOptions {
  readonly columns: readonly Column[]
  /** Where the file goes. */
  readonly storage: FileStorage
  /** Unique to the run; part of the staging name. */
  readonly token: string
  /** For the footer of a Parquet file. */
  readonly metadata: Readonly<Record<string, string>>
  /** How large a row group of a Parquet file may become, as record batches. */
  readonly rowGroupBytes: number
  /** Of a Parquet file. The row group must not change until it resolves. */
  readonly encodeGroup: (group: RowGroup) => Promise<EncodedRowGroup>
}

/** Hands the pieces of one file, in the encoding of its format, to a staged file. */
export interface FormatWriter {
  write(piece: Uint8Array): Promise<void>
  finish(runId: string): Promise<void>
  abort(): Promise<void>
}
