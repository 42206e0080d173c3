import type { ContractName } from '../contracts/contracts.ts'
import type { InterfaceVersion } from '../contracts/given-values.ts'
import type { RecordPlan } from '../records/process-block.ts'
import type { Column } from '../records/flatten/column.ts'
import type { Condition } from '../records/conditions/condition.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import type { ClientSettings } from '../http/client-settings.ts'
import type { ServiceCredentials } from '../http/service-credentials.ts'
import type { RequestPlan } from '../service/request-plan.ts'
import type { ServiceProxy } from '../http/service-proxy.ts'
import type { Partition } from '../service/time-windows.ts'
import type { FileFormat } from '../formats/file-format.ts'
import type { DatabaseUrl } from '../config/database-url.ts'
import type { CountLimit } from './count-limit.ts'
import type { ObjectSettings } from '../storage/s3/object-settings.ts'
import type { MediaPlan } from './media/media-plan.ts'
import type { Selection } from './selection.ts'

export interface FileSourcePlan {
  readonly kind: 'files'
  /** Paths and globs, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: 'auto' | 'ndjson' | 'json'
  /** The files together are one stream. */
  readonly parts: boolean
  /** The version of the interface that the records came from; where it is missing and columns are from it, the files say it. */
  readonly interfaceVersion?: InterfaceVersion
  /** The list of the records that are kept. */
  readonly sourceIds: SourceIdsPlan | null
}

/** An identifier of a list that was read from a file. */
export interface ListedIdentifier {
  /** As it is asked for. */
  readonly code: string | number
  /** The line of its first occurrence, from 1. */
  readonly line: number
  readonly written: string
}

/** An entry of a list that is no identifier. */
export interface BadIdentifier {
  readonly line: number
  readonly written: string
  /** The form that was expected. */
  readonly expected: string
}

/** Counts of a list that was read from a file: `rows = identifiers + repeated + empty + bad`. */
export interface SourceIdsSummary {
  /** As the config names it. */
  readonly file: string
  /** Its name, or its number from 1; null for a file with one identifier a line. */
  readonly column: string | number | null
  /** The filter key. */
  readonly field: string
  readonly rows: number
  readonly identifiers: number
  /** Identifiers that are asked for in another form than they were written in, with their lost zeros for instance. */
  readonly repaired: number
  readonly repeated: number
  readonly empty: number
  /** Entries that are no identifiers, where `badIdentifiers: report` lets the others be asked for. */
  readonly bad?: number
  /** Over how many requests the identifiers are shared out, where none of them takes further pages; 0 where files are read. */
  readonly requests: number
}

export interface SourceIdsPlan {
  readonly summary: SourceIdsSummary
  readonly identifiers: readonly ListedIdentifier[]
  readonly bad?: readonly BadIdentifier[]
}

/** A request to the service. */
export interface ServiceSourcePlan {
  readonly kind: 'service'
  readonly endpoint: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Null where `check` or `plan` ran without the variable that holds it. */
  readonly baseUrl: string | null
  readonly filter: unknown
  readonly sorting: unknown
  readonly page: unknown
  /** Another request of a delta, for records that are read again by their ids. */
  readonly again?: RequestPlan['again']
  /** One request a window of time; null for one request in all. */
  readonly partition: Partition | null
  /** The list in the filter that came from a file. */
  readonly sourceIds: SourceIdsPlan | null
  readonly client: ClientSettings
  /** Null where requests go straight to the service, or where the address is not known. */
  readonly proxy: ServiceProxy | null
  /** Null where `check` or `plan` ran without them. No form of printing shows them. */
  readonly credentials: ServiceCredentials | null
}

export type SourcePlan = FileSourcePlan | ServiceSourcePlan

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

interface DatabaseTarget {
  /** The schema of the tables and of the target's own state. */
  readonly schema: string
  readonly mode: OutputMode
  readonly removed: Removal
  /** Positions in `records.tables`. */
  readonly tables: readonly number[]
}

/** An output that is no file: tables of a database, which keeps its own state. */
export type DatabasePlan =
  /** `url` is null where `check` or `plan` ran without the variable that holds it. */
  | (DatabaseTarget & {
      readonly format: 'postgres'
      readonly url: DatabaseUrl | null
      readonly lockTimeoutMs?: number | undefined
    })
  | (DatabaseTarget & { readonly format: 'duckdb'; readonly path: string })

/**
 * The test that a rule makes of the rows. A value is as the cells of its column hold it, as text: of a timestamp milliseconds since
 * 1970, of a date days, of a decimal the unscaled integer.
 */
export type RuleTest =
  | { readonly kind: 'range'; readonly from: string | null; readonly to: string | null }
  | {
      readonly kind: 'in' | 'not'
      readonly values: readonly string[]
      /** Days among the values of a time; both ends are included. */
      readonly ranges?: readonly { readonly from: string; readonly until: string }[]
    }
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'filled'; readonly least: CountLimit }
  | { readonly kind: 'unique' }
  | { readonly kind: 'rows'; readonly from: number | null; readonly to: number | null }

/** A rule of the config on the rows that a run writes. */
export interface RulePlan {
  /** Position in `records.tables`. */
  readonly table: number
  /** Position in the columns of the table; null for a rule on its rows. */
  readonly column: number | null
  readonly test: RuleTest
  /** The rule in words, for messages and reports. */
  readonly expected: string
  readonly severity: 'warn' | 'error'
  /** Another table of the encoding that has the ids of the rows, as this one lacks them. */
  readonly keyTable?: number | undefined
  /** True in a run that reads what changed: the number of its rows says nothing. */
  readonly isPartOfAll?: boolean | undefined
}

/** The requests for what has changed since the last run. */
export interface IncrementalPlan {
  /** How much earlier than the start of the last published run. */
  readonly overlapMs: number
  /** After this long everything is read again. */
  readonly fullEveryMs: number
  /** The filter of a delta, in the form of a request, but for `updatedSince`: all statuses. Null over files. */
  readonly filter: unknown
  /** Conditions in the filter of a full run that are not in that of a delta: a record that fails them has left the filter. */
  readonly where: readonly Condition[]
}

/** A table with the columns that identify its rows. */
export interface KeyedTable {
  readonly name: string
  readonly columns: readonly Column[]
  /** The column that holds the record's id: text, never null. */
  readonly idColumn: string
  /** The columns that number the rows of one record, the outermost first; none where a record has one row. */
  readonly positionColumns: readonly string[]
  /**
   * Columns that versions of a history have and the table has no more, as the config lost or renamed them. They come behind
   * its own, and are null in the versions of later records. Default none.
   */
  readonly formerColumns?: readonly Column[] | undefined
}

/** The part of a plan whose outputs depend on what earlier runs published. */
export interface StatefulPlan {
  /** The field of a record's last change, `meta.updatedAt`; null where the contract has none. */
  readonly cursor: string | null
  /** Null where every run reads everything. */
  readonly incremental: IncrementalPlan | null
  /** How many of the records known so far a run may find gone. */
  readonly maxRemoved: CountLimit
  /** `_records`: one row a record, see record-table.ts. It is no table of the config, and no part of `records.tables`. */
  readonly recordTable: TablePlan
  /** In the order of `records.tables`. */
  readonly tables: readonly KeyedTable[]
  readonly databases: readonly DatabasePlan[]
}

/** Everything that a run does, decided before anything is read. Plain data. */
export interface PipelinePlan {
  readonly name: string
  readonly contract: ContractName
  readonly contractVersion: number
  readonly source: SourcePlan
  readonly records: RecordPlan
  /** The time zone of days, by its IANA name. */
  readonly timezone: string
  readonly completeness: 'require' | 'report'
  readonly duplicates: 'keep' | 'last' | 'reject'
  readonly files: readonly FilePlan[]
  /** How many of the published records a run may remove; of a stateful plan, of those in the state of each target. */
  readonly maxRemoved: CountLimit
  readonly selection: Selection
  /** In the order of the config; an entry with several members gives several. */
  readonly rules: readonly RulePlan[]
  /** Null where all outputs are whole files that hold what the run reads, and nothing of earlier runs matters. */
  readonly stateful: StatefulPlan | null
  /** `limit` is of the lines that are not blank. */
  readonly rejects: { readonly path: string; readonly limit: CountLimit }
  readonly manifest: { readonly path: string }
  /** Null for `profile: false`. */
  readonly profile: { readonly path: string } | null
  /** Null for `report: false`. `examples`: the page shows values of records. */
  readonly report: { readonly path: string; readonly examples: boolean } | null
  /** Null unless `dataPackage: true`. */
  readonly dataPackage: { readonly path: string } | null
  /** How a bucket keeps what is written. */
  readonly s3?: ObjectSettings
  /** What the command `media` downloads; absent where the config does not say, or no command asks. */
  readonly media?: MediaPlan
  /** SHA-256 over all that shapes the outputs' bytes, and nothing of where they come from or go to. */
  readonly configHash: string
}
