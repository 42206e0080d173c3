import type { ChangeCounts, RemovedRecord } from '../manifest/manifest.ts'
import type { FieldMetadata } from '../formats/parquet/arrow-schema.ts'
import type { CountLimit } from '../plan/count-limit.ts'
import type { FilePlan } from '../plan/outputs/file-plan.ts'
import type { Column } from '../records/flatten/column.ts'
import type { StagingPlace } from '../storage/staged-set.ts'
import type { StagedFile } from '../storage/staged-file.ts'

export interface LoadFiles {
  /** The file with the columns of `recordColumns`: each id once. */
  readonly records: string
  /** Files by table. */
  readonly tables: readonly string[]
}

/** The records of one run in our own Parquet files: one of records, and one for each table. */
export interface Load extends LoadFiles {
  /** A full load holds every record there is: records that it lacks are removed. */
  readonly kind: 'full' | 'delta'
  /**
   * Takes the rows of unchanged records from the load, too: for a full load under another config than the baseline's.
   * Always the case if the baseline lacks a column. Default false.
   */
  readonly refresh?: boolean | undefined
  /** By the service's clock. */
  readonly startedAt: Date
  readonly runId: string
  /**
   * Eight hex digits in the names of files that are added to those of earlier runs. They differ for each baseline, as a
   * run may read what an earlier one has read. Default: those of the run id.
   */
  readonly addedAs?: string | undefined
}

/** What a run adds to an output with `mode: changes`. */
export interface ChangeLink {
  /** A name of the run that no earlier one has. */
  readonly run: string
  /** The run whose changes come right before; null if these are all records that there are. */
  readonly previousRun: string | null
  /** The changes whose records' rows are written, beside removals: all, if the rows have another shape than before. */
  readonly placed: readonly (keyof ChangeCounts)[]
}

/**
 * The Parquet files that earlier runs published: of the records, and by table; null if never published, for a table or
 * at all. An empty list is a table without rows.
 */
export interface Baseline {
  readonly records: string | null
  readonly current: readonly (readonly string[] | null)[] | null
  readonly history: readonly (readonly string[] | null)[] | null
  /** Tables that may lack rows of published `records`: a full load writes all their rows anew. Default: none. */
  readonly behind?: readonly Pick<FilePlan, 'table' | 'mode'>[] | undefined
}

export interface MergedFile {
  /** Position in the tables and in the outputs. */
  readonly table: number
  readonly output: number
  /** The path to publish it at, with its partition folders and part number. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  readonly staged: StagedFile
}

export type StateFile = Omit<MergedFile, 'table' | 'output'>

export interface MergeResult {
  readonly changes: ChangeCounts
  /** The first hundred, by id. */
  readonly removedRecords: readonly RemovedRecord[]
  /** Ordered by output, partition and part. */
  readonly files: readonly MergedFile[]
  /** Files that the next run needs besides those above. */
  readonly stateFiles: {
    readonly records: StateFile
    /** Only of tables that no Parquet output holds in full. */
    readonly tables: readonly (StateFile & { readonly table: number; readonly mode: 'merge' | 'history' })[]
  }
  /** The baseline of the next run, as paths after publication, of `files` and of `stateFiles`. */
  readonly baseline: Baseline & { readonly records: string }
  /** The columns of each output, in the order of the outputs: those of its table and those that its mode adds. */
  readonly columns: readonly (readonly Column[])[]
  /** Removes every staging file, if they are not published. */
  discard(): Promise<void>
}

/** The result of a load that changes nothing and for which nothing was written. */
export interface Unchanged {
  readonly isUnchanged: true
  readonly changes: ChangeCounts
}

export interface MergeOptions {
  /** Part of the staging names; unique to the run. */
  readonly token: string
  /** For what does not fit into memory: created if missing, used by this run alone, and the caller's to remove. */
  readonly tempFolder: string
  readonly stateFolder: string
  /** Default: the disks of this machine. */
  readonly storage?: StagingPlace['storage'] | undefined
  /** The most records of the state that a load may remove, full or delta. */
  readonly maxRemoved: CountLimit
  /** For the footers of Parquet files; the run id is added. */
  readonly metadata: Readonly<Record<string, string>>
  readonly fieldsOf?: ((output: FilePlan) => FieldMetadata) | undefined
  /** Called for outputs with `mode: changes`. */
  readonly linkOf?: ((output: FilePlan) => ChangeLink) | undefined
  /** Memory of the joins and sorts, in MiB. Default 256. */
  readonly memoryLimitMb?: number | undefined
  /** Writes no file if the load changes nothing and all published files are there. Default false. */
  readonly keepsUnchanged?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}
