import type { CountLimit } from './count-limit.ts'
import type { RulePlan } from './conditions/rule-plan.ts'
import type { Selection } from './selection.ts'

export interface VolumePlan extends Pick<RulePlan, 'severity'> {
  /** In percent of the median of the last published runs, below and above. */
  readonly percent: number
}

/** A rule on the median of a column of numbers, compared with that of the last run. */
export interface RatioPlan extends Pick<RulePlan, 'table' | 'expected' | 'severity'> {
  readonly column: number
  /** How many times greater, or smaller, the median may be. */
  readonly factor: number
  /** The index of its entry in `expect`. */
  readonly entry: number
}

export interface LimitsPlan {
  /** Whether a run may be published without proof that its sources are complete. */
  readonly completeness: 'require' | 'report'
  readonly rejects: CountLimit
  /** Limit of published records that a run may remove. In a stateful plan it applies to each target. */
  readonly maxRemoved: CountLimit
  readonly selection: Selection
  readonly rules: readonly RulePlan[]
  readonly ratios: readonly RatioPlan[]
  /** The rule on the number of records, compared with earlier runs; null if there is none. */
  readonly volume: VolumePlan | null
}
