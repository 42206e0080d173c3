import type { FileFormat } from '../../formats/file-format.ts'

/**
 * What an output holds after a run: what that run read (`snapshot`), also what runs before it brought (`append`), every
 * record as it is now (`merge`), or every version of every record (`history`).
 */
export type OutputMode = 'snapshot' | 'append' | 'merge' | 'history'

/** The fate of the rows of a removed record under `merge`. */
export type Removal = 'drop' | 'mark'

/** One file that a run writes: one table in one format. In a stateful plan it may become several, or none. */
export interface FilePlan {
  /** Position of the table in `records.tables`. */
  readonly table: number
  /** In a stateful plan the base, into which folders of partitions and runs, and numbers of parts, are put. */
  readonly path: string
  readonly format: FileFormat
  /** CSV and NDJSON with a name that ends in .gz. */
  readonly gzip: boolean
  readonly mode: OutputMode
  readonly removed: Removal
  /** Columns of this table, the outermost folder first. */
  readonly partitionBy: readonly string[]
  readonly rowsPerFile: number | null
  readonly bytesPerFile: number | null
}
