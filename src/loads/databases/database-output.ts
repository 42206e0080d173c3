import type { ServerFormat } from '../../config/database-servers.ts'
import type { DatabaseUrl } from '../../config/database-url.ts'
import type { CountLimit } from '../../plan/count-limit.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import type { Removal, TableMode } from '../../plan/outputs/file-plan.ts'
import type { TableMeaning } from './format-comments.ts'
import type { LoadFiles } from '../merge-result.ts'
import type { ChangeCounts, RemovedRecord, RowDifference } from '../../manifest/manifest.ts'

export type DatabaseTarget =
  | ServerTarget<'postgres'>
  /** `schema` is a database. */
  | ServerTarget<'mariadb'>
  | { readonly format: 'duckdb'; readonly path: string; readonly schema: string }

interface ServerTarget<Format extends ServerFormat> {
  readonly format: Format
  readonly url: DatabaseUrl
  readonly schema: string
  /** How long a load waits for locks of tables in total. Default one minute. */
  readonly lockTimeoutMs?: number | undefined
}

/** One database output of a pipeline, which has at most one in each schema of a database. Plain data. */
export interface DatabaseOutputPlan {
  readonly target: DatabaseTarget
  readonly pipeline: string
  readonly mode: TableMode
  /** What `merge` does with the rows of removed records; `mark` adds the column `_removed_at`. */
  readonly removed: Removal
  readonly tables: readonly KeyedTable[]
  /** Comments for the tables that a load creates. Default: none. */
  readonly meanings?: readonly TableMeaning[] | undefined
}

/** Records whose last version was rejected, as in the state of files. */
export interface StaleMemory {
  readonly ids: readonly string[]
  readonly needsFull: string | null
}

export interface LoadStart {
  /**
   * A full load holds every record there is: records that it lacks are removed, and all its rows are compared with
   * those of the target.
   */
  readonly kind: 'full' | 'delta'
  /** A delta has every change from this time on; null for a load that fills in earlier time and claims no more. */
  readonly since: Date | null
  /** If it differs from the last load's, a delta is refused. */
  readonly configHash: string
}

export interface DatabaseLoad extends LoadStart {
  readonly runId: string
  readonly startedAt: Date
  /** The target has every change up to this time: the start of the load. Null for a load with `since: null`. */
  readonly syncedUntil: Date | null
  /** Written with the load, for a run that dies before its manifest is published. */
  readonly stale?: StaleMemory | null | undefined
  /** The most records of the target's state that a load may remove, full or delta. */
  readonly maxRemoved: CountLimit
}

export interface DatabaseOptions {
  /** How long to wait for another load of the same pipeline, or for the lock of a DuckDB file. Default 10 s. */
  readonly lockWaitMs?: number | undefined
  /** Called with the holders of a lock that a load has to wait for. */
  readonly onWarning?: ((message: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CommittedLoad {
  readonly runId: string
  readonly kind: 'full' | 'delta'
  readonly mode: DatabaseOutputPlan['mode']
  readonly startedAt: Date
  readonly syncedUntil: Date | null
  readonly lastFullAt: Date | null
  readonly configHash: string
  /** Null if an older version wrote the load. */
  readonly stale: StaleMemory | null
}

export interface TargetState {
  /** Null before the first load, which has to be a full one (or one with `since: null`). */
  readonly last: CommittedLoad | null
  /** Tables that have another number of rows than the last load left. */
  readonly differences: readonly RowDifference[]
  /** Why the next load has to be a full one; null if a delta since `last.syncedUntil` (or earlier) can follow. */
  readonly needsFull: string | null
}

export interface DatabaseChanges {
  readonly changes: ChangeCounts
  /** The first hundred, by id. */
  readonly removedRecords: readonly RemovedRecord[]
  readonly rowsWritten: readonly number[]
  /** Tables that had another number of rows than the load before left. */
  readonly differences: readonly RowDifference[]
  /**
   * By table, rows of records that this pipeline has never loaded: nothing removes them. Null if not counted, as this
   * load did not put every record in place anew.
   */
  readonly foreignRows: readonly number[] | null
}

/** What is known of tables once they are committed. */
export interface CommittedTables {
  /** By table, for tables that have versions. */
  readonly versions?: readonly number[]
  /** By table, the ids of their snapshots as text, if they have any. */
  readonly snapshots?: readonly (string | undefined)[]
}

/**
 * A load into a database, in one transaction with its state: `write` any number of times, `finish`, then `commit`, or
 * `discard` at any time. Each failure is a CatalogueError; call `discard` after it.
 */
export interface DatabaseOutput {
  /** `postgres://user@host:5432/database, schema "catalogue"`, without the password. */
  readonly shown: string
  /** The form of the rows: pieces of COPY text by `write`, or Parquet files by `finish`. */
  readonly takes: 'copy' | 'parquet'
  /**
   * Takes rows of a table, or of the records if `table` is the number of tables, encoded by `createCopyTextEncoder`.
   * Resolves when they are copied and there is room for more.
   */
  write(table: number, piece: Uint8Array): Promise<void>
  /**
   * Compares with the state, checks removals, puts rows in place, and writes the state, all of it uncommitted. `files`
   * are the load's Parquet files, which stay there until `commit`; a target that takes pieces needs none.
   */
  finish(load: DatabaseLoad, files?: LoadFiles): Promise<DatabaseChanges>
  /** Makes the load and its state visible. If the outcome is unknown, asks the target again. */
  commit(): Promise<CommittedTables>
  /** Undoes what is not committed and closes the connection. May follow `commit`. */
  discard(): Promise<void>
}
