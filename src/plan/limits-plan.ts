import type { CountLimit } from './count-limit.ts'
import type { RulePlan } from './conditions/rule-plan.ts'
import type { Selection } from './selection.ts'

export interface VolumePlan extends Pick<RulePlan, 'severity'> {
  /** In percent of the median of the last published runs, below and above. */
  readonly percent: number
}

export interface LimitsPlan {
  /** Whether a run may be published without proof that its sources are complete. */
  readonly completeness: 'require' | 'report'
  readonly rejects: CountLimit
  /** Limit of published records that a run may remove. In a stateful plan it applies to each target. */
  readonly maxRemoved: CountLimit
  readonly selection: Selection
  readonly rules: readonly RulePlan[]
  /** The rule on the number of records, compared with earlier runs; null if there is none. */
  readonly volume: VolumePlan | null
}
