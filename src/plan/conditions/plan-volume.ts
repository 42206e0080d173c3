import type { Sections } from '../../config/check-sections.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { toCountLimit } from '../count-limit.ts'
import type { VolumePlan } from '../limits-plan.ts'

/** Refuses the rule for a pipeline that keeps no history of its runs. */
export function checkVolume({ expectVolume, runs }: Sections): Problem[] {
  if (!expectVolume || runs !== false) return []
  return [problemAt(['runs'], 'expected true, as expectVolume compares a run with those before it, got false')]
}

export function planVolume(volume: CompletePipelineConfig['expectVolume']): VolumePlan | null {
  if (volume === undefined) return null
  const { within, severity } = typeof volume === 'string' ? { within: volume, severity: 'warn' as const } : volume
  const share = toCountLimit(within.replace(/^\D+/, ''))
  return { percent: share.kind === 'share' ? share.percent : 0, severity }
}
