import { follow } from '../../plan/records/describe-tables.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { FixedLines } from '../../sources/rejects/fixed-lines.ts'
import type { FinishedOutputs } from '../outputs/output-reports.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import { manifestFormat } from '../../manifest/upgrade-manifest.ts'
import type { Manifest, StageReport, TableReport } from '../../manifest/manifest.ts'
import { contracts } from '../../contracts/contracts.ts'
import { toRoot } from '../../plan/records/plan-tables.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { isOfList, type TablePlan } from '../../records/flatten/table-plan.ts'

export interface RunFacts {
  readonly plan: PipelinePlan
  readonly runId: string
  readonly tool: Manifest['tool']
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly stages: readonly StageReport[]
  readonly counters: RunCounters
  readonly read: ReadEnd
  readonly notes: readonly string[]
  readonly finished: FinishedOutputs
  readonly fixed?: Pick<FixedLines, 'path' | 'count'> | undefined
  readonly sharded?: Manifest['plan'] | undefined
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
}: RunFacts): Manifest {
  const sourceIds = plan.source.sourceIds?.summary
  return {
    pipeline: plan.name,
    runId,
    tool,
    format: manifestFormat,
    contract: { name: plan.records.contract, version: plan.records.contractVersion },
    configHash: plan.outputs.configHash,
    selection: plan.limits.selection,
    inputDigest: read.inputDigest,
    sources: read.sources,
    ...(sourceIds && { sourceIds }),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    stages,
    ...toFindings(plan, counters, read),
    ...(counters.doubts.length > 0 && { doubts: counters.doubts }),
    ...(counters.rules.length > 0 && { rules: counters.rules }),
    ...finished,
    rejects: { path: plan.report.rejects.path, ...toRejectCounts(counters) },
    ...toCorrected(plan.records, counters),
    ...(fixed && { replayed: { path: fixed.path, lines: fixed.count } }),
    manifest: plan.report.manifest.path,
    ...(sharded && { plan: sharded }),
    ...(plan.report.page && { report: { path: plan.report.page.path } }),
    ...(notes.length > 0 && { notes }),
  }
}

/** What a reading found, published or not. */
export function toFindings(
  plan: PipelinePlan,
  counters: RunCounters,
  { completeness }: Pick<ReadEnd, 'completeness'>,
): Pick<Manifest, 'ledger' | 'completeness' | 'drift' | 'tables' | 'filteredBy'> {
  const { ledger, drift, filteredBy } = counters
  const tables = toTableReports(plan, counters)
  return { ledger, completeness, drift, tables, ...(filteredBy.length > 0 && { filteredBy }) }
}

export function toRejectCounts({
  ledger,
  rejectReasons,
  wrongValues,
}: Pick<RunCounters, 'ledger' | 'rejectReasons' | 'wrongValues'>): Omit<Manifest['rejects'], 'path'> {
  return {
    count: ledger.rejected,
    ...(ledger.rejected > 0 && { reasons: rejectReasons.list() }),
    ...(wrongValues.records > 0 && { wrongValues }),
  }
}

function toCorrected(
  { corrections = [], correctionsFile }: RecordsPlan,
  { corrected, refused }: Pick<RunCounters, 'corrected' | 'refused'>,
): Pick<Manifest, 'corrected'> {
  if (correctionsFile === undefined) return {}
  const unused = corrections.flatMap(({ id, path }, at) => {
    const reason = refused.get(at)
    return corrected[at] === 0 ? [{ id, path, ...(reason !== undefined && { reason }) }] : []
  })
  return {
    corrected: {
      path: correctionsFile,
      rows: corrections.length,
      used: corrections.length - unused.length,
      lines: corrected.reduce((sum, count) => sum + count, 0),
      unused: unused.slice(0, mostUnused),
    },
  }
}

const mostUnused = 100

function toTableReports(
  plan: RunFacts['plan'],
  { rows, filteredElements }: Pick<RunCounters, 'rows' | 'filteredElements'>,
): TableReport[] {
  return plan.records.tables.map((table, at) => {
    const choices = listChoices(plan.records, table)
    const counts = { name: table.name, rows: rows[at] ?? 0, filtered: filteredElements[at] ?? 0 }
    const listLines = isOfList(table) ? plan.source.sourceIds?.matched?.lines.length : undefined
    return { ...counts, ...(choices.length > 0 && { choices }), ...(listLines !== undefined && { listLines }) }
  })
}

function listChoices({ contract }: RecordsPlan, { each, columns }: TablePlan): string[] {
  const element = follow(toRoot(contracts[contract]), each).field
  const isChoice = ({ source }: TablePlan['columns'][number]): boolean => {
    const field = source.kind === 'path' ? follow(element, source.steps).field : undefined
    return field?.kind === 'scalar' && field.values !== undefined
  }
  return columns.filter(isChoice).map(({ name }) => name)
}
