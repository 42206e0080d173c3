import type { Drift } from '../records/drift.ts'
import type { ChangeCounts } from '../loads/merge-result.ts'
import type {
  BrokenReport,
  EditLoss,
  FileReport,
  MissingReport,
  PreviousRun,
  PublishedState,
} from '../loads/state/published-state.ts'
import type { Doubt } from './doubts.ts'
import type { RejectReason } from '../records/reject-reasons.ts'
import type { WrongValues } from '../records/wrong-values.ts'
import type { Completeness } from '../sources/completeness.ts'

/** The members of a manifest that its report shows, as a run makes them and as they are read from the file. */
export interface ReportManifest {
  readonly pipeline: string
  readonly runId: string
  readonly tool: { readonly name: string; readonly version: string }
  readonly contract: { readonly name: string; readonly version: number }
  readonly configHash: string
  readonly inputDigest: string
  readonly sources: readonly SourceView[]
  readonly sourceIds?: { readonly file: string; readonly field: string; readonly identifiers: number } | undefined
  readonly startedAt: string
  readonly finishedAt: string
  readonly durationMs: number
  readonly stages?: readonly StageReport[] | undefined
  readonly ledger: LedgerView
  readonly completeness: Completeness
  readonly drift: Drift
  readonly tables: readonly TableView[]
  readonly filteredBy?: readonly FilterView[] | undefined
  readonly doubts?: readonly Doubt[] | undefined
  readonly rules?: readonly RuleView[] | undefined
  readonly files: readonly FileReport[]
  readonly state?: PublishedState | undefined
  readonly editLosses?: readonly EditLoss[] | undefined
  readonly removedRecords?: readonly { readonly id: string; readonly status: string | null }[] | undefined
  readonly databases?: readonly DatabaseView[] | undefined
  readonly rejects: RejectsView
  readonly missingIds?: MissingReport | undefined
  readonly brokenRows?: BrokenReport | undefined
  readonly previous?: PreviousRun | undefined
  readonly leftFiles?: readonly { readonly path: string; readonly mode?: string | undefined }[] | undefined
  /** The error of a run that has published nothing. */
  readonly failure?: FailureView | undefined
  readonly manifest: string
  /** Present if shards were added up. */
  readonly plan?: object | undefined
  readonly notes?: readonly string[] | undefined
}

export interface FailureView {
  readonly code: string
  readonly title: string
  readonly message: string
  readonly fix: string
}

export interface LedgerView {
  readonly lines: number
  readonly blank: number
  readonly rejected: number
  readonly filtered: number
  readonly duplicate: number
  readonly accepted: number
  readonly repeatedIds: number
}

/** A rule of the config with what was found. */
export interface RuleView {
  readonly table: string
  readonly column?: string | undefined
  readonly severity: 'warn' | 'error'
  readonly result: 'kept' | 'broken' | 'unjudged'
  readonly expected: string
  readonly found: string
  readonly rule?: string | undefined
  readonly count?: number | undefined
  readonly ids?: readonly string[] | undefined
  readonly listed?: number | undefined
  readonly examples?: readonly (string | number | boolean)[] | undefined
}

export interface TableView {
  readonly name: string
  readonly rows: number
  readonly filtered: number
  /** Columns whose values the contract lists. */
  readonly choices?: readonly string[] | undefined
}

/** A stretch of a run, with its length. */
export interface StageReport {
  readonly name: string
  readonly ms: number
}

export interface SourceView {
  readonly name: string
  readonly lines: number
  readonly bytes: number
  readonly completeness: Completeness
  readonly landed?: { readonly endpoint: string; readonly baseUrl: string; readonly fetchedAt: string } | undefined
  readonly notes?: SourceNotesView | undefined
}

export interface SourceNotesView {
  readonly requests?: number | undefined
  readonly waitedMs?: number | undefined
  readonly repeats: readonly string[]
  readonly changes: readonly string[]
  readonly skippedRecords: number
  readonly refused?: string | undefined
  readonly missing: readonly MissingView[]
}

export interface MissingView {
  readonly key: string
  readonly asked: number
  readonly missing: readonly string[]
  readonly inFile?: readonly { readonly line: number; readonly written: string }[] | undefined
}

export interface FilterView {
  readonly table: string | null
  readonly by: string
  readonly path: string
  readonly condition: string
  readonly filtered: number
}

export interface DatabaseView {
  readonly target: string
  readonly mode: 'snapshot' | 'merge' | 'history' | 'append'
  readonly changes: ChangeCounts
  readonly tables: readonly {
    readonly name: string
    readonly rowsWritten: number
    readonly foreignRows?: number | undefined
  }[]
  /** Tables that had another number of rows than the load before had left. */
  readonly differences?:
    readonly { readonly table: string; readonly expected: number; readonly got: number }[] | undefined
}

export interface RejectsView {
  readonly path: string
  readonly count: number
  /** By code and path, the most frequent first. */
  readonly reasons?: readonly RejectReason[] | undefined
  readonly wrongValues?: WrongValues | undefined
}
