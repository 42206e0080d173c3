import type { DatabaseUrl } from '../../config/database-url.ts'
import type { CountLimit } from '../../plan/count-limit.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import type { OutputMode, Removal } from '../../plan/outputs/file-plan.ts'
import type { TableMeaning } from './format-comments.ts'
import type { LoadFiles } from '../merge-result.ts'
import type { ChangeCounts, RemovedRecord, RowDifference } from '../../manifest/manifest.ts'

/** The place of the tables: a schema of a PostgreSQL database, or of a DuckDB file. */
export type DatabaseTarget =
  | {
      readonly format: 'postgres'
      readonly url: DatabaseUrl
      readonly schema: string
      /** How long a load waits for locks of tables, all of them together. Default one minute. */
      readonly lockTimeoutMs?: number | undefined
    }
  | { readonly format: 'duckdb'; readonly path: string; readonly schema: string }

/** One database output of a pipeline. A pipeline has at most one in each schema of a database. Plain data. */
export interface DatabaseOutputPlan {
  readonly target: DatabaseTarget
  /** The name of the pipeline: whose state it is. */
  readonly pipeline: string
  readonly mode: OutputMode
  /** The rule of `merge` for the rows of removed records; `mark` adds the column `_removed_at`. */
  readonly removed: Removal
  readonly tables: readonly KeyedTable[]
  /** The meaning of each of the tables, for comments on what a load creates. Default: none is written. */
  readonly meanings?: readonly TableMeaning[] | undefined
}

/** Records whose last version was rejected, as the state of files has them. */
export interface StaleMemory {
  /** The next load asks for them. */
  readonly ids: readonly string[]
  /** Why it has to be a full one instead. */
  readonly needsFull: string | null
}

/** The facts of a load that are known before anything is read. */
export interface LoadStart {
  /** A full load holds every record there is: what is not in it is removed, and all rows of it are compared with what is there. */
  readonly kind: 'full' | 'delta'
  /** Since when a delta has every change; null for a load that fills in earlier time and claims no more. */
  readonly since: Date | null
  /** When it differs from the last load's, a delta is refused. */
  readonly configHash: string
}

/** A load once everything is read. */
export interface DatabaseLoad extends LoadStart {
  readonly runId: string
  /** By the service's clock. */
  readonly startedAt: Date
  /** Up to when the target has every change after this load: its start. Null for a load with `since: null`. */
  readonly syncedUntil: Date | null
  /** Written with the load, for a run that dies before its manifest is published. */
  readonly stale?: StaleMemory | null | undefined
  /** How many records of the target's state a load may remove, whether it is full or a delta. */
  readonly maxRemoved: CountLimit
}

export interface DatabaseOptions {
  /** How long to wait for another load of the same pipeline, or for the lock of a DuckDB file. Default 10 s. */
  readonly lockWaitMs?: number | undefined
  /** Called when a lock of a table has to be waited for, with who has it. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** The last load that a target committed. */
export interface CommittedLoad {
  readonly runId: string
  readonly kind: 'full' | 'delta'
  readonly mode: DatabaseOutputPlan['mode']
  readonly startedAt: Date
  readonly syncedUntil: Date | null
  /** The start of the last load that held everything; null if there was none. */
  readonly lastFullAt: Date | null
  readonly configHash: string
  /** Null where an older version wrote the load. */
  readonly stale: StaleMemory | null
}

/** The state of a pipeline in the target. */
export interface TargetState {
  /** Null before the first load, which has to be a full one (or one with `since: null`). */
  readonly last: CommittedLoad | null
  /** Tables that have another number of rows than the last load left. */
  readonly differences: readonly RowDifference[]
  /** Why the next load has to be a full one; null where a delta since `last.syncedUntil` (or earlier) can join on. */
  readonly needsFull: string | null
}

export interface DatabaseChanges {
  readonly changes: ChangeCounts
  /** The first hundred, by id. */
  readonly removedRecords: readonly RemovedRecord[]
  /** Rows that were written, by table. */
  readonly rowsWritten: readonly number[]
  /** Tables that had another number of rows than the load before left. */
  readonly differences: readonly RowDifference[]
  /**
   * Rows, by table, of no record that this pipeline has ever loaded: nothing removes them. Null where they were not counted,
   * as this load did not put every record in place anew.
   */
  readonly foreignRows: readonly number[] | null
}

/**
 * One load on its way into a database, in one transaction with its state: `write` any number of times, `finish`, then
 * `commit`, or `discard` at any time. Each failure is a CatalogueError; after it, `discard`.
 */
export interface DatabaseOutput {
  /** `postgres://user@host:5432/database, schema "catalogue"`, without the password. */
  readonly shown: string
  /** The form of the rows: pieces in COPY text by `write`, or Parquet files by `finish`. */
  readonly takes: 'copy' | 'parquet'
  /**
   * Takes rows of a table, or of the records where `table` is the number of tables: what `createCopyTextEncoder` makes of
   * them. Resolves when they are copied and there is room for more.
   */
  write(table: number, piece: Uint8Array): Promise<void>
  /**
   * Compares with the state, checks removals, puts rows in place, and writes the state, all of it uncommitted. `files` are
   * the load's Parquet files, which a target that takes pieces does without.
   */
  finish(load: DatabaseLoad, files?: LoadFiles): Promise<DatabaseChanges>
  /** Makes the load and its state visible. When it is not known whether that came about, the target is asked again. */
  commit(): Promise<void>
  /** Undoes what is not committed and closes the connection. Also after `commit`. */
  discard(): Promise<void>
}
