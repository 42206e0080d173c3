import type { TableRow } from './tables/row-of.ts'

/** A table that an output of a config's own is opened for. */
export interface OwnTable {
  readonly pipeline: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The names of all tables of this output, which are opened one after the other. */
  readonly tables: readonly string[]
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal
}

/**
 * Where the rows of a table go. Each call is awaited before the next. Either `commit` ends it, after all rows of the
 * run, or `abort`, also after a `commit` that failed.
 */
export interface OwnOutput {
  readonly write: (rows: readonly TableRow[]) => unknown
  /** Makes the rows visible, and those of an earlier run not any more. */
  readonly commit: (run: { readonly runId: string; readonly rows: number }) => unknown
  /** Leaves nothing of what was written. */
  readonly abort: () => unknown
}

/** Opens an output for a table; called again after `abort` if a run has to read its source anew. */
export type OpenOwnOutput = (table: OwnTable) => OwnOutput | Promise<OwnOutput>
