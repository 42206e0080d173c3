import type { RowDifference } from '../../loads/databases/database-output.ts'
import type { OutputMode, PipelinePlan, SourceIdsSummary } from '../../plan/pipeline-plan.ts'
import { formatColumnType, type Column, type MoneyUnit } from '../../records/flatten/column.ts'
import type { Drift } from '../../records/drift.ts'
import type { ChangeCounts, RemovedRecord } from '../../loads/merge-result.ts'
import type { WrittenFile } from '../../publish/staged-file.ts'
import type { Completeness } from '../../sources/completeness.ts'
import type { PublishedState } from '../../loads/state/published-state.ts'
import type { OutputFile } from '../outputs/output-file.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import type { SourceReport } from '../reading/source-reading.ts'
import type { FilteredBy, Ledger, RunCounters } from './run-counters.ts'

/** One published file, as the manifest lists it. */
export interface FileReport {
  readonly table: string
  readonly format: 'csv' | 'ndjson' | 'parquet'
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  readonly columns: readonly ColumnReport[]
  /** Of a stateful plan: what the output holds, and its path without folders of partitions and numbers of parts. */
  readonly mode?: OutputMode
  readonly base?: string
}

export interface ColumnReport {
  readonly name: string
  readonly type: string
  /** The path in the record; empty for a column that the mode of the output adds. */
  readonly from: string
  /** The unit of an amount of money. */
  readonly unit?: MoneyUnit
  /** The time zone of a date that is made of a moment. */
  readonly timezone?: string
}

/** A database that was loaded, as the manifest lists it. */
export interface DatabaseReport {
  /** Where it is, without credentials. */
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

/** The file of the entries of a list that brought nothing, as the manifest lists it. */
export interface MissingReport {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Identifiers that no record has. */
  readonly notFound: number
  /** Entries that are no identifiers. */
  readonly bad: number
}

/** What a published run did. The manifest holds exactly this. */
export interface RunReport {
  readonly pipeline: string
  /** The same for the same input, config and version: 32 hexadecimal digits, also in the footer of Parquet files. */
  readonly runId: string
  readonly tool: { readonly name: string; readonly version: string }
  readonly contract: { readonly name: string; readonly version: number }
  readonly configHash: string
  /** Of all lines that were read, decompressed: SHA-256 over the GMAC (hexadecimal) of every block of them. The same bytes give the same. */
  readonly inputDigest: string
  readonly sources: readonly SourceReport[]
  /** The list of identifiers that was asked for, where it came from a file. */
  readonly sourceIds?: SourceIdsSummary
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly finishedAt: string
  readonly durationMs: number
  readonly ledger: Ledger
  readonly completeness: Completeness
  readonly drift: Drift
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly filtered: number }[]
  /** The conditions on records and elements, in the order written; what fails several is counted for the first. */
  readonly filteredBy?: readonly FilteredBy[]
  readonly files: readonly FileReport[]
  /** Of a stateful plan, what the next run has to know, and what this one found. */
  readonly state?: PublishedState
  /** The first hundred of the records that are gone, as they were last seen. */
  readonly removedRecords?: readonly RemovedRecord[]
  readonly databases?: readonly DatabaseReport[]
  readonly rejects: { readonly path: string; readonly count: number }
  /** The file of the identifiers of a list that brought nothing; after a delta that of the run before it. */
  readonly missingIds?: MissingReport
  readonly manifest: string
  /** What is worth telling of how the run was called. */
  readonly notes?: readonly string[]
}

/** What it says of outputs that are ready to be published. */
export type FinishedOutputs = Pick<RunReport, 'files' | 'state' | 'removedRecords' | 'databases' | 'missingIds'>

export interface RunFacts {
  readonly plan: PipelinePlan
  readonly runId: string
  readonly tool: RunReport['tool']
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly tally: RunCounters
  readonly read: ReadEnd
  readonly notes: readonly string[]
  readonly finished: FinishedOutputs
}

export function toRunReport({
  plan,
  runId,
  tool,
  startedAt,
  finishedAt,
  tally,
  read,
  notes,
  finished,
}: RunFacts): RunReport {
  const { tables } = plan.records
  const sourceIds = plan.source.sourceIds?.summary
  return {
    pipeline: plan.name,
    runId,
    tool,
    contract: { name: plan.contract, version: plan.contractVersion },
    configHash: plan.configHash,
    inputDigest: read.inputDigest,
    sources: read.sources,
    ...(sourceIds && { sourceIds }),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    ledger: tally.ledger,
    completeness: read.completeness,
    drift: tally.drift,
    tables: tables.map(({ name }, table) => ({
      name,
      rows: tally.rows[table] ?? 0,
      filtered: tally.filteredElements[table] ?? 0,
    })),
    ...(tally.filteredBy.length > 0 && { filteredBy: tally.filteredBy }),
    ...finished,
    rejects: { path: plan.rejects.path, count: tally.ledger.rejected },
    manifest: plan.manifest.path,
    ...(notes.length > 0 && { notes }),
  }
}

/** One written file of a plan. */
export function toFileReport(
  { plan: file, staged }: Pick<OutputFile, 'plan' | 'staged'>,
  written: WrittenFile,
  plan: PipelinePlan,
  tally: RunCounters,
): FileReport {
  const table = plan.records.tables[file.table]
  return {
    table: table?.name ?? '',
    format: file.format.format,
    path: staged.destination,
    rows: tally.rows[file.table] ?? 0,
    bytes: written.bytes,
    sha256: written.sha256,
    columns: (table?.columns ?? []).map(toColumnReport),
  }
}

/** A column as plans and manifests name it. */
export function toColumnReport(column: Column & { readonly from?: string }): ColumnReport {
  const { name, unit, timezone, from = '' } = column
  return { name, type: formatColumnType(column), from, ...(unit && { unit }), ...(timezone && { timezone }) }
}
