import type { EncodingPlan } from '../../encode/encoding-plan.ts'
import { listCounted } from '../../engine/run/run-task.ts'
import type { ReadEnd } from '../../engine/reading/read-lines.ts'
import type { RunCounters } from '../../engine/reading/run-counters.ts'
import type { SegmentFacts, ShardFacts } from '../shard-result.ts'
import { type EvidenceLog, notJudged } from './evidence-log.ts'
import { toPlainCounts } from './plain-counts.ts'

export interface ShardReading {
  readonly encoding: EncodingPlan
  readonly counters: RunCounters
  readonly read: ReadEnd
  /** In the order of the segments. */
  readonly logs: readonly EvidenceLog[]
}

/** What a shard has read and counted, for the commit to add up. */
export function toFacts({
  encoding,
  counters,
  read,
  logs,
}: ShardReading): Omit<ShardFacts, 'files' | 'rejects' | 'ids' | 'unique' | 'resolution'> {
  const tables = listCounted(encoding)
  const segments = read.sources.map(({ lines, bytes, completeness, landed, notes }, at): SegmentFacts => {
    const evidence = logs[at]?.list() ?? { runs: [], document: null, isCut: false }
    const verdict = completeness === notJudged ? null : completeness
    return { lines, bytes, evidence, verdict, ...(landed && { landed }), ...(notes && { notes }) }
  })
  return {
    segments,
    inputDigest: read.inputDigest,
    totals: counters.toTotals(),
    rowCounts: toPlainCounts(tables, counters.rowCounts),
  }
}
