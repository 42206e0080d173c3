import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { SourceIdsSummary } from '../../plan/source/source-ids-plan.ts'
import type { Selection } from '../../plan/selection.ts'
import type { RejectReason } from '../../records/reject-reasons.ts'
import type { WrongValues } from '../../records/wrong-values.ts'
import type { Drift } from '../../records/drift.ts'
import type { Completeness } from '../../sources/completeness.ts'
import type { FixedLines } from '../../rejects/fixed-lines.ts'
import type { FinishedOutputs } from '../outputs/output-reports.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import type { SourceReport } from '../reading/source-reading.ts'
import type { FilteredBy, Ledger, RunCounters } from '../reading/run-counters.ts'
import type { Doubt } from '../../report/doubts.ts'
import { manifestFormat } from '../../loads/state/upgrade-state.ts'
import { listChoices } from './list-choices.ts'
import type { RuleReport } from '../../rules/judge-rules.ts'
import type { StageReport } from './stages.ts'

/** The report of a published run. The manifest holds exactly this. */
export interface RunReport extends FinishedOutputs {
  readonly pipeline: string
  /** The same for the same input, config and version: 32 hexadecimal digits, also in the footer of Parquet files. */
  readonly runId: string
  readonly tool: { readonly name: string; readonly version: string }
  /** The version of the shape of this report. */
  readonly format: number
  readonly contract: { readonly name: string; readonly version: number }
  readonly configHash: string
  /** A hash of each key of the config that selects records or rows. */
  readonly selection?: Selection | undefined
  /** Digest of all lines that were read, decompressed: SHA-256 over the XXH3 of 128 bits (hexadecimal) of every block of them. The same files give the same. */
  readonly inputDigest: string
  readonly sources: readonly SourceReport[]
  /** The list of identifiers that was asked for, where it came from a file. */
  readonly sourceIds?: SourceIdsSummary
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly finishedAt: string
  readonly durationMs: number
  /** The stretches of the run in their order, up to the publication. */
  readonly stages: readonly StageReport[]
  readonly ledger: Ledger
  readonly completeness: Completeness
  readonly drift: Drift
  readonly tables: readonly TableReport[]
  /** The conditions on records and elements, in the order written; what fails several is counted for the first. */
  readonly filteredBy?: readonly FilteredBy[]
  /** What the config did probably not mean; absent if nothing says so. */
  readonly doubts?: readonly Doubt[]
  /** The rules of the config, in its order, with what was found; absent where there is none. */
  readonly rules?: readonly RuleReport[]
  readonly rejects: {
    readonly path: string
    readonly count: number
    /** The most frequent first, at most a thousand and the rest as `other`; absent where nothing was rejected. */
    readonly reasons?: readonly RejectReason[]
    /** Those that `contract.invalidValues: null` would have kept; absent where there is none. */
    readonly wrongValues?: WrongValues
  }
  /** The corrected lines that took the place of rejected ones. */
  readonly replayed?: { readonly path: string; readonly lines: number }
  readonly manifest: string
  /** The plan whose shards were added up. */
  readonly plan?: { readonly planId: string; readonly shards: number }
  /** The page that shows this report; absent for `report: false`. */
  readonly report?: { readonly path: string }
  /** Notes on the call and on the choice of what was read. */
  readonly notes?: readonly string[]
}

/** The rows of a table that this run read. */
export interface TableReport {
  readonly name: string
  readonly rows: number
  readonly filtered: number
  /** Columns whose values the contract lists; absent where there is none. */
  readonly choices?: readonly string[]
}

export interface RunFacts {
  readonly plan: Omit<PipelinePlan, 'stateful' | 'files' | 'duplicates'>
  readonly runId: string
  readonly tool: RunReport['tool']
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly stages: readonly StageReport[]
  readonly counters: RunCounters
  readonly read: ReadEnd
  readonly notes: readonly string[]
  readonly finished: FinishedOutputs
  readonly fixed?: Pick<FixedLines, 'path' | 'count'> | undefined
  readonly sharded?: RunReport['plan'] | undefined
}

export function toRunReport({
  plan,
  runId,
  tool,
  startedAt,
  finishedAt,
  stages,
  counters,
  read,
  notes,
  finished,
  fixed,
  sharded,
}: RunFacts): RunReport {
  const sourceIds = plan.source.sourceIds?.summary
  return {
    pipeline: plan.name,
    runId,
    tool,
    format: manifestFormat,
    contract: { name: plan.contract, version: plan.contractVersion },
    configHash: plan.configHash,
    selection: plan.selection,
    inputDigest: read.inputDigest,
    sources: read.sources,
    ...(sourceIds && { sourceIds }),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    stages,
    ledger: counters.ledger,
    completeness: read.completeness,
    drift: counters.drift,
    tables: toTableReports(plan, counters),
    ...(counters.filteredBy.length > 0 && { filteredBy: counters.filteredBy }),
    ...(counters.doubts.length > 0 && { doubts: counters.doubts }),
    ...(counters.rules.length > 0 && { rules: counters.rules }),
    ...finished,
    rejects: {
      path: plan.rejects.path,
      count: counters.ledger.rejected,
      ...(counters.ledger.rejected > 0 && { reasons: counters.rejectReasons.list() }),
      ...(counters.wrongValues.records > 0 && { wrongValues: counters.wrongValues }),
    },
    ...(fixed && { replayed: { path: fixed.path, lines: fixed.count } }),
    manifest: plan.manifest.path,
    ...(sharded && { plan: sharded }),
    ...(plan.report && { report: { path: plan.report.path } }),
    ...(notes.length > 0 && { notes }),
  }
}

function toTableReports(
  plan: RunFacts['plan'],
  { rows, filteredElements }: Pick<RunCounters, 'rows' | 'filteredElements'>,
): TableReport[] {
  return plan.records.tables.map((table, at) => {
    const choices = listChoices(plan, table)
    const counts = { name: table.name, rows: rows[at] ?? 0, filtered: filteredElements[at] ?? 0 }
    return { ...counts, ...(choices.length > 0 && { choices }) }
  })
}
