import { judgeRatio } from '../../kernel/rules/judge-ratio.ts'
import { judgeVolume } from '../../kernel/rules/judge-volume.ts'
import type { RuleReport } from '../../manifest/manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { FinishedOutputs } from '../outputs/output-reports.ts'
import { readProfile } from '../outputs/read-profile.ts'
import type { RunHistory } from '../outputs/run-history.ts'
import type { RunCounters } from '../reading/run-counters.ts'

interface PastFacts {
  readonly counters: Pick<RunCounters, 'ledger' | 'rowCounts'>
  readonly finished: FinishedOutputs
  readonly history: RunHistory
  readonly storage: FileStorage
}

/** Judges the rules on what earlier runs of the pipeline have left. */
export async function judgePast(plan: PipelinePlan, facts: PastFacts): Promise<RuleReport[]> {
  return [...(await judgeRatios(plan, facts)), ...(await judgeRecords(plan, facts))]
}

async function judgeRatios(
  { records, limits: { ratios }, report }: PipelinePlan,
  { counters: { rowCounts }, finished, history, storage }: PastFacts,
): Promise<RuleReport[]> {
  if (ratios.length === 0) return []
  const last = (await history.list()).findLast(({ outcome }) => outcome === 'published') ?? null
  const { profile } = await readProfile(report.profile, last?.runId, storage)
  const facts = { kind: history.kindOf(finished), rowCounts, last, profile }
  return ratios.map((ratio) => judgeRatio(ratio, records, facts))
}

async function judgeRecords(
  { records, limits: { volume } }: PipelinePlan,
  { counters: { ledger }, finished, history }: PastFacts,
): Promise<RuleReport[]> {
  if (volume === null) return []
  const found = await history.countRecords({ ledger, ...finished })
  const table = records.tables.find(({ each }) => each.length === 0)?.name ?? 'records'
  return [judgeVolume(volume, { records: found, kind: history.kindOf(finished), table }, await history.list())]
}
