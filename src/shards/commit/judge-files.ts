import { judgeParts, type ReadEnd } from '../../engine/reading/read-lines.ts'
import { unjudged } from '../../engine/reading/source-reading.ts'
import { CompletenessTracker, joinCompleteness } from '../../sources/completeness.ts'
import { replayEvidence } from '../run/evidence-log.ts'
import type { Segment, ShardPlan } from '../shard-plan.ts'
import type { SegmentFacts } from '../shard-result.ts'
import type { Completeness, SourceReport } from '../../manifest/manifest.ts'

/** The verdicts that one process would reach on the files, from what their segments delivered. */
export function judgeFiles(
  { shards, pipeline }: Pick<ShardPlan, 'shards' | 'pipeline'>,
  facts: readonly SegmentFacts[],
): Pick<ReadEnd, 'sources' | 'completeness'> {
  const { parts } = pipeline.source
  const together = new CompletenessTracker()
  const files = groupByFile(
    shards.flatMap(({ segments }) => segments),
    facts,
  )
  const sources = files.map(({ name, delivered }) => {
    const { completeness, ...rest } = toReport(delivered)
    if (completeness !== null) return { name, ...rest, completeness }
    const tracker = parts ? together : new CompletenessTracker()
    for (const { evidence } of delivered) replayEvidence(tracker, evidence)
    return { name, ...rest, completeness: parts ? unjudged : tracker.finish() }
  })
  return { sources, completeness: joinCompleteness(parts ? judgeParts(sources, together) : sources) }
}

interface DeliveredFile {
  readonly name: string
  readonly delivered: SegmentFacts[]
}

function groupByFile(segments: readonly Segment[], facts: readonly SegmentFacts[]): DeliveredFile[] {
  const files: DeliveredFile[] = []
  for (const [at, { name, from }] of segments.entries()) {
    const delivered = facts[at]
    if (delivered === undefined) continue
    if (from > 0) files.at(-1)?.delivered.push(delivered)
    else files.push({ name, delivered: [delivered] })
  }
  return files
}

/** The report on a file. Its verdict is null if the evidence has to decide. */
function toReport(
  delivered: readonly SegmentFacts[],
): Omit<SourceReport, 'name' | 'completeness'> & { readonly completeness: Completeness | null } {
  const [{ landed, notes, verdict } = { landed: undefined, notes: undefined, verdict: null }] = delivered
  return {
    lines: delivered.reduce((sum, { lines }) => sum + lines, 0),
    bytes: delivered.reduce((sum, { bytes }) => sum + bytes, 0),
    completeness: verdict,
    ...(landed && { landed }),
    ...(notes && { notes }),
  }
}
