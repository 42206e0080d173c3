import type { FileFormat } from '../../formats/file-format.ts'

/**
 * What an output holds after a run: the records of that run (`snapshot`), those of all runs (`append`), what all runs changed
 * (`changes`), the current version of every record (`merge`), or all versions (`history`).
 */
export type OutputMode = 'snapshot' | 'append' | 'changes' | 'merge' | 'history'

/** What a table in a database or a lake may hold. */
export type TableMode = Exclude<OutputMode, 'changes'>

/** Whether a run adds files to those of earlier runs, which it leaves as they are. */
export function addsFiles(mode: OutputMode | 'records' | undefined): mode is 'append' | 'changes' {
  return mode === 'append' || mode === 'changes'
}

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
  /** With `changes`: whether records that were only touched are among them. Default false. */
  readonly touched?: boolean | undefined
  /** Columns of this table, the outermost folder first. */
  readonly partitionBy: readonly string[]
  readonly rowsPerFile: number | null
  readonly bytesPerFile: number | null
}
