import type { ContractName } from '../contracts/contracts.ts'
import type { RecordPlan } from '../records/process-block.ts'
import type { ClientSettings } from '../service/client-settings.ts'
import type { ServiceCredentials } from '../service/service-credentials.ts'
import type { ServiceProxy } from '../service/service-proxy.ts'
import type { Partition } from '../service/time-windows.ts'
import type { CsvDialect } from '../sinks/csv.ts'

export interface FileSourcePlan {
  readonly kind: 'files'
  /** Paths and globs, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: 'auto' | 'ndjson' | 'json'
  /** The files together are one stream. */
  readonly parts: boolean
}

/** An identifier of a list that was read from a file. */
export interface ListedIdentifier {
  /** As it is asked for. */
  readonly code: string | number
  /** Where it stands first, from 1. */
  readonly line: number
  readonly written: string
}

/** What a list that was read from a file holds: `rows = identifiers + repeated + empty`. */
export interface SourceIdsSummary {
  /** As the config names it. */
  readonly file: string
  /** Null for a file with one identifier a line. */
  readonly column: string | null
  /** The filter key. */
  readonly field: string
  readonly rows: number
  readonly identifiers: number
  /** Identifiers that are asked for in another form than they were written in, with their lost zeros for instance. */
  readonly repaired: number
  readonly repeated: number
  readonly empty: number
  /** Over how many requests the identifiers are shared out, where none of them takes further pages. */
  readonly requests: number
}

export interface SourceIdsPlan {
  readonly summary: SourceIdsSummary
  readonly identifiers: readonly ListedIdentifier[]
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

export type FileFormat =
  | { readonly format: 'csv'; readonly dialect: CsvDialect }
  | { readonly format: 'ndjson' }
  | {
      readonly format: 'parquet'
      readonly compression: 'zstd' | 'snappy' | 'gzip' | 'none'
      readonly rowGroupRows: number
    }

/** One file that a run writes: one table in one format. */
export interface FilePlan {
  /** Position of the table in `records.tables`. */
  readonly table: number
  readonly path: string
  readonly format: FileFormat
  /** CSV and NDJSON with a name that ends in .gz. */
  readonly gzip: boolean
}

/** How many rejects a run may have: a count, or a share of the lines that are not blank. */
export type RejectLimit =
  { readonly kind: 'count'; readonly count: number } | { readonly kind: 'share'; readonly percent: number }

/** Everything that a run does, decided before anything is read. Plain data. */
export interface PipelinePlan {
  readonly name: string
  readonly contract: ContractName
  readonly contractVersion: number
  readonly source: SourcePlan
  readonly records: RecordPlan
  readonly completeness: 'require' | 'report'
  readonly duplicates: 'keep' | 'last' | 'reject'
  readonly files: readonly FilePlan[]
  readonly rejects: { readonly path: string; readonly limit: RejectLimit }
  readonly manifest: { readonly path: string }
  /** SHA-256 over all that shapes the outputs' bytes, and nothing of where they come from or go to. */
  readonly configHash: string
}
