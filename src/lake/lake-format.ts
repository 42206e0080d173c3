import type { FieldIds } from '../formats/parquet/parquet-type.ts'
import type { Duckdb } from '../loads/files/open-duckdb.ts'
import type { Column } from '../records/flatten/column.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { FileStatistics } from './file-statistics.ts'
import type { LakeOutputPlan, LakePlace } from './lake-plan.ts'

/** What loads need of a storage. */
export type LakeStorage = Pick<
  FileStorage,
  | 'openFile'
  | 'place'
  | 'create'
  | 'publish'
  | 'read'
  | 'sizeOf'
  | 'toLocal'
  | 'list'
  | 'listUploads'
  | 'remove'
  | 'clearStale'
  | 'close'
>

/** What the work on a lake holds: its storage, and a DuckDB that reads and writes files in a folder of its own. */
export interface LakeSession {
  readonly format: LakeFormat
  readonly storage: LakeStorage
  readonly duckdb: Duckdb
  readonly folder: string
  /** Returns the local path of a file that never changes, as data files are; copies objects once. */
  toLocal(path: string): Promise<string>
}

/** What a table format does in its own way. It gets back the logs and files that it has read itself. */
export interface LakeFormat {
  /** The folder of a table; in a catalog, what messages call one that is not there yet. */
  findFolder(plan: { readonly target: LakePlace }, table: string): Promise<string>
  /** The folder of the files that say what a table is. */
  logFolder(folder: string): string
  dataFolder(folder: string): string
  /** The type of a column in the words of the format. */
  showType(column: Column): string
  /**
   * Reads a table as it is, and as it was at a version if that is still there. Null if there is no table. Throws TARGET_MISMATCH
   * if what says so is damaged.
   */
  readLog(session: LakeSession, asked: AskedLog): Promise<TableLog | null>
  /** Reads the commits after a version, up to another. */
  readCommits(session: LakeSession, asked: AskedLog, until: number): Promise<readonly Commit[]>
  /** Reads the properties of a table at each of its versions that sets them, from the newest back, as far as these are there. */
  readProperties(session: LakeSession, folder: string): AsyncIterable<TableSnapshot['properties']>
  /** Throws TARGET_MISMATCH for a table that loads must not write to, or can't. */
  checkTable(folder: string, table: TableSnapshot, plan: CheckingPlan): void
  /** The path of a data file in the storage. Throws TARGET_MISMATCH for a file outside of the table's folder. */
  locate(folder: string, file: DataFile): string
  /** The file that says which rows of a data file are deleted, if it is one that may be missing. */
  locateDeletions(folder: string, file: DataFile): { readonly path: string; readonly leastBytes: number } | null
  /** Reads the numbers of the deleted rows of a data file, in ascending order. Throws TARGET_MISMATCH if they can't be read. */
  readDeleted(session: LakeSession, folder: string, file: DataFile): Promise<readonly number[]>
  /** Whether a table may list files again that it did not list for a while; otherwise they are written anew. */
  readonly returnsFiles: boolean
  /** The ids of the columns in data files, if the format has them. */
  numberFields(
    log: TableLog | null,
    change: Pick<TableChange, 'columns' | 'keepsOthers'>,
  ): readonly FieldIds[] | undefined
  /** Makes a table without rows in a catalog, which says where its files are; by path the first commit makes it. */
  create?(table: NewTable): Promise<void>
  /** Whether a commit may have several tables, which come together or not at all; otherwise it has one. */
  readonly isTransactional: boolean
  /**
   * Makes the next version of each table that a change is one for. Null if another commit came first. Throws TARGET_FAILED if the
   * outcome is unknown: then the data files stay.
   */
  commit(
    session: LakeSession,
    changes: readonly TableChange[],
    options: CommitOptions,
  ): Promise<readonly CommittedTable[] | null>
  /** Finds out what is needed of a table, and makes it forget its earlier versions. Null if another commit came first. */
  retain(session: LakeSession, retention: Retention): Promise<RetainedFiles | null>
}

/** A table whose files are removed that it needs no longer. */
export interface Retention {
  readonly folder: string
  /** The version that the state names; null if it names none. */
  readonly version: number | null
  /** Read with this version. */
  readonly log: TableLog
  /** A time in milliseconds; versions that were replaced before it are not kept. */
  readonly before: number
  /** Whether nothing is written. */
  readonly dryRun: boolean
  readonly token: string
  readonly now: number
  readonly onWarning?: ((message: string) => void) | undefined
}

/** Files by their paths in the storage. */
export interface RetainedFiles {
  /** What the versions that are kept need. */
  readonly needed: ReadonlySet<string>
  /** Whether a file of this path in the folder of the table may be removed if no version needs it. */
  readonly owns: (path: string) => boolean
}

export interface NewTable extends Pick<TableChange, 'pipeline' | 'columns' | 'descriptions'> {
  readonly table: string
}

/** What a table is checked for: without a target, only to be read. */
export type CheckingPlan = Pick<LakeOutputPlan, 'pipeline'> & Partial<Pick<LakeOutputPlan, 'target'>>

export interface AskedLog {
  readonly folder: string
  readonly pipeline: string
  /** A version; null for none. */
  readonly version: number | null
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface TableLog {
  readonly newest: TableSnapshot
  /** The table at the version that was asked for; null if that is not there any more, or not yet. */
  readonly asked: TableSnapshot | null
  /** The commits after the version that was asked for; all that are there if `asked` is null. */
  readonly commits: readonly Commit[]
  /** Whether the first of the commits made the table. */
  readonly isFromStart: boolean
}

/** A table at one version. */
export interface TableSnapshot {
  readonly version: number
  readonly id: string
  readonly properties: Readonly<Record<string, string | null>>
  readonly fields: readonly SchemaField[]
  /** By path. */
  readonly files: ReadonlyMap<string, DataFile>
}

/** A column of a table, and what our loads know of it; null for a column that they did not write. */
export interface SchemaField {
  readonly name: string
  /** In the words of the format. */
  readonly type: string
  readonly column: Column | null
}

export interface DataFile {
  /** As the table writes it. */
  readonly path: string
  readonly size: number
  /** How many rows are not deleted; null if the table does not say. */
  readonly rows: number | null
  /** How many rows are deleted. */
  readonly deleted: number
}

export interface Commit {
  readonly version: number
  /** The number of the load of this pipeline that made it; null if something else did. */
  readonly load: number | null
  /** Whether the rows stay what they are, as after an OPTIMIZE or with new properties. */
  readonly isRearranging: boolean
  readonly changesColumns: boolean
  /** The paths of the data files that it added. */
  readonly added: readonly string[]
}

/** A data file that no table lists yet. */
export interface WrittenFile {
  readonly path: string
  readonly size: number
  readonly statistics: FileStatistics
}

/** What a load makes of a table. */
export interface TableChange {
  readonly folder: string
  readonly pipeline: string
  readonly mode: LakeOutputPlan['mode'] | 'state'
  /** The table before; null if there is none. */
  readonly log: TableLog | null
  readonly columns: readonly Column[]
  /** Whether the columns of the table that are not among these stay. */
  readonly keepsOthers: boolean
  /** The data files that stay, maybe of an earlier version, with the deleted rows that they had in it: all others go. */
  readonly kept: readonly DataFile[]
  /** The deleted rows of kept files, in place of those that they had. */
  readonly deletions: ReadonlyMap<DataFile, readonly number[]>
  /** Whether loads of this table delete rows in place. */
  readonly deletes: LakeOutputPlan['target']['deletes']
  readonly added: readonly WrittenFile[]
  /**
   * Files of the change feed with the rows that differ, none if only data files do. Null if there is no feed, or if readers find
   * the changes in the data files.
   */
  readonly feed: readonly { readonly path: string; readonly bytes: number }[] | null
  /** Whether the table has a change feed. */
  readonly hasFeed: boolean
  /** Unique to the commit. */
  readonly token: string
  /** The number of the load. */
  readonly load: number
  /** Whether descriptions and other facts that are not in the rows are written anew. */
  readonly isRefreshed: boolean
  readonly descriptions: { readonly table: string; readonly columns: Readonly<Record<string, string>> }
  /** For the table of the state: the state, if the tables before it in the commit are made. */
  readonly state?: ((made: readonly CommittedTable[]) => string) | undefined
}

export interface CommitOptions {
  readonly now: number
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface CommittedTable {
  readonly version: number
  /** The id of the snapshot, if the format has them. */
  readonly snapshot?: string | undefined
  readonly id: string
}

/** The names and types of columns alone, to compare schemas by. */
export function formatFields(fields: readonly SchemaField[]): string {
  return JSON.stringify(fields.map(({ name, type }) => [name, type]))
}
