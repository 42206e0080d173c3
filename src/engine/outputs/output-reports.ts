import { listUnusual } from '../../formats/csv.ts'
import type { FileFormat } from '../../formats/file-format.ts'
import type { RowDifference } from '../../loads/databases/database-output.ts'
import type { ChangeCounts, RemovedRecord } from '../../loads/merge-result.ts'
import type {
  BrokenReport,
  ColumnReport,
  EditLoss,
  FileReport,
  LeftFile,
  MissingReport,
  PreviousRun,
  ProfileReport,
  PublishedState,
} from '../../loads/state/published-state.ts'
import type { OutputMode } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { formatColumnType, type Column } from '../../records/flatten/column.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { FinishedFile, OutputFile } from './output-file.ts'

/** The part of a report that outputs add once they are ready to be published. */
export interface FinishedOutputs {
  readonly files: readonly FileReport[]
  /** The state of a stateful plan: the findings of this run that the next one needs. */
  readonly state?: PublishedState
  /** Removals that `maxRemoved` does not allow, published as they follow an edit of the config; absent if there is none. */
  readonly editLosses?: readonly EditLoss[]
  /** The first hundred of the records that are gone, as they were last seen. */
  readonly removedRecords?: readonly RemovedRecord[]
  readonly databases?: readonly DatabaseReport[]
  /** The file of the identifiers of a list that brought nothing; after a delta that of the run before it. */
  readonly missingIds?: MissingReport
  /** The file of the rows that break rules; absent if none does. */
  readonly brokenRows?: BrokenReport
  /** Absent for `profile: false`. */
  readonly profile?: ProfileReport
  /** Present for `dataPackage: true`. */
  readonly dataPackage?: ProfileReport
  /** Files that an earlier config of the pipeline left, and that are as they were published. */
  readonly leftFiles?: readonly LeftFile[]
  /** Those that are removed after the publication: the next run removes what a killed one did not. */
  readonly prunedFiles?: readonly LeftFile[]
  /** The run whose outputs this one replaces. */
  readonly previous?: PreviousRun
}

/** A database that was loaded, as the manifest lists it. */
export interface DatabaseReport {
  /** Its address, without credentials. */
  readonly target: string
  readonly mode: OutputMode
  /** Compared with the state that the database itself holds. */
  readonly changes: ChangeCounts
  readonly tables: readonly {
    readonly name: string
    readonly rowsWritten: number
    /** Rows of no record that the pipeline has ever loaded, which stay; counted where every record was put in place anew. */
    readonly foreignRows?: number
  }[]
  /** Tables that had another number of rows than the load before had left. */
  readonly differences?: readonly RowDifference[]
}

/** One written file of a plan. */
export function toFileReport(
  { plan: file, staged }: Pick<OutputFile, 'plan' | 'staged'>,
  written: FinishedFile,
  { tables }: Pick<PipelinePlan['records'], 'tables'>,
  counters: Pick<RunCounters, 'rows'>,
): FileReport {
  const table = tables[file.table]
  return {
    table: table?.name ?? '',
    format: file.format.format,
    path: staged.destination,
    rows: written.rows ?? counters.rows[file.table] ?? 0,
    bytes: written.bytes,
    sha256: written.sha256,
    columns: (table?.columns ?? []).map(toColumnReport),
    ...toDialectReport(file.format),
    ...(written.sheets && { sheets: written.sheets }),
    ...(written.cutTexts && { cutTexts: written.cutTexts }),
  }
}

/** The member `dialect` of a CSV file that is not written as usual. */
export function toDialectReport(format: FileFormat): Pick<FileReport, 'dialect'> {
  const dialect = format.format === 'csv' ? listUnusual(format.dialect) : undefined
  return dialect === undefined ? {} : { dialect }
}

/** A column as plans and manifests name it. */
export function toColumnReport(column: Column & { readonly from?: string }): ColumnReport {
  const { name, unit, timezone, from = '' } = column
  return { name, type: formatColumnType(column), from, ...(unit && { unit }), ...(timezone && { timezone }) }
}
