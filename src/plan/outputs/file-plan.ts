import type { FileFormat } from '../../formats/file-format.ts'

/**
 * What an output holds after a run: the records of that run (`snapshot`), those of all runs (`append`), the current
 * version of every record (`merge`), or all versions (`history`).
 */
export type OutputMode = 'snapshot' | 'append' | 'merge' | 'history'

/** What `merge` does with the rows of a removed record. */
export type Removal = 'drop' | 'mark'

/** A file of a run: one table in one format. In a stateful plan it may become several files, or none. */
export interface FilePlan {
  readonly table: number
  /** In a stateful plan the base name, into which partitions, runs and part numbers are inserted. */
  readonly path: string
  readonly format: FileFormat
  readonly gzip: boolean
  readonly mode: OutputMode
  readonly removed: Removal
  /** Columns of this table, the outermost folder first. */
  readonly partitionBy: readonly string[]
  readonly rowsPerFile: number | null
  readonly bytesPerFile: number | null
}
