import type { ContractName } from '../contracts/contracts.ts'
import type { ObjectSettings } from '../storage/s3/object-settings.ts'
import type { RecordPlan } from '../records/process-block.ts'
import type { CountLimit } from './count-limit.ts'
import type { StatefulPlan } from './loads/stateful-plan.ts'
import type { MediaPlan } from './media/media-plan.ts'
import type { FilePlan } from './outputs/file-plan.ts'
import type { RulePlan } from './rules/rule-plan.ts'
import type { Selection } from './selection.ts'
import type { SourcePlan } from './source/source-plan.ts'

/** Everything that a run does, decided before anything is read. Plain data. */
export interface PipelinePlan {
  readonly name: string
  readonly contract: ContractName
  readonly contractVersion: number
  readonly source: SourcePlan
  readonly records: RecordPlan
  /** The time zone of days, by its IANA name. */
  readonly timezone: string
  readonly completeness: 'require' | 'report'
  readonly duplicates: 'keep' | 'last' | 'reject'
  readonly files: readonly FilePlan[]
  /** How many of the published records a run may remove; of a stateful plan, of those in the state of each target. */
  readonly maxRemoved: CountLimit
  readonly selection: Selection
  /** In the order of the config; an entry with several members gives several. */
  readonly rules: readonly RulePlan[]
  /** Null where all outputs are whole files that hold what the run reads, and nothing of earlier runs matters. */
  readonly stateful: StatefulPlan | null
  /** `limit` is of the lines that are not blank. */
  readonly rejects: { readonly path: string; readonly limit: CountLimit }
  readonly manifest: { readonly path: string }
  /** Null for `profile: false`. */
  readonly profile: { readonly path: string } | null
  /** Null for `report: false`. `examples`: the page shows values of records. */
  readonly report: { readonly path: string; readonly examples: boolean } | null
  /** Null unless `dataPackage: true`. */
  readonly dataPackage: { readonly path: string } | null
  /** How a bucket keeps what is written. */
  readonly s3?: ObjectSettings
  /** What the command `media` downloads; absent where the config does not say, or no command asks. */
  readonly media?: MediaPlan
  /** SHA-256 over all that shapes the outputs' bytes, and nothing of where they come from or go to. */
  readonly configHash: string
}
