import { explainReference } from '../../kernel/encode/explain-reference.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import { listImplausible } from './implausible-values.ts'
import { listRowDoubts } from './row-doubts.ts'
import { doubtConditions } from './unmet-conditions.ts'
import type { Doubt } from '../../manifest/manifest.ts'

export async function listDoubts(
  { source, records, limits, report }: PipelinePlan,
  counters: RunCounters,
  sources: readonly Source[],
  { signal, isFast = true }: RequiredContext<'signal'> & { readonly isFast?: boolean },
): Promise<Doubt[]> {
  const ofRows =
    report.profile === null ? [] : [...listRowDoubts(records, counters), ...listImplausible(records, limits, counters)]
  return [
    ...(await doubtConditions(source, records, report.profile !== null, counters, sources, { signal })),
    ...ofRows,
    ...(isFast ? [] : explainSlowness(records)),
  ]
}

function explainSlowness(records: RecordsPlan): Doubt[] {
  const text = explainReference(records)
  return text === null ? [] : [{ kind: 'speed', severity: 'note', count: 1, text }]
}
