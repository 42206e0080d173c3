import { notRead } from '../engine/fetch/read-service.ts'
import type { ReadEnd } from '../engine/reading/read-lines.ts'
import { RunCounters } from '../engine/reading/run-counters.ts'
import { toFindings, toRejectCounts } from '../engine/run/run-report.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'

/** What a reading found, in the words of a manifest. */
export interface ReadReport extends Pick<
  Manifest,
  'sources' | 'ledger' | 'completeness' | 'drift' | 'tables' | 'filteredBy'
> {
  readonly rejects: Omit<Manifest['rejects'], 'path'>
}

/** The report of a reading at its end, or before it. */
export function toReadReport(plan: PipelinePlan, counters: RunCounters, end: ReadEnd | null): ReadReport {
  const { sources, completeness } = end ?? { sources: [], completeness: notRead }
  return { sources, ...toFindings(plan, counters, { completeness }), rejects: toRejectCounts(counters) }
}

export function reportNothing(): ReadReport {
  const { ledger, drift } = new RunCounters({ where: [], tables: [] })
  return { sources: [], ledger, completeness: notRead, drift, tables: [], rejects: { count: 0 } }
}
