import type { CountLimit } from './count-limit.ts'
import type { RulePlan } from './conditions/rule-plan.ts'
import type { Selection } from './selection.ts'

/** What a run has to meet to be published. */
export interface LimitsPlan {
  /** Whether a run is published if nothing proves that its sources are complete. */
  readonly completeness: 'require' | 'report'
  /** A share is one of the lines that are not blank. */
  readonly rejects: CountLimit
  /** How many of the published records a run may remove; of a stateful plan, of those in the state of each target. */
  readonly maxRemoved: CountLimit
  readonly selection: Selection
  /** In the order of the config; an entry with several members gives several. */
  readonly rules: readonly RulePlan[]
}
