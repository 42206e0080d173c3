import type { ObjectSettings } from '../../storage/s3/object-settings.ts'
import type { StatefulPlan } from '../loads/stateful-plan.ts'
import type { MediaPlan } from '../media/media-plan.ts'
import type { FilePlan } from './file-plan.ts'

/** What a run writes, and the form it has. */
export interface OutputsPlan {
  readonly files: readonly FilePlan[]
  /** Null if all outputs are whole files of what the run reads, and nothing of earlier runs matters. */
  readonly stateful: StatefulPlan | null
  /** How a bucket keeps what is written. */
  readonly s3?: ObjectSettings
  /** What the command `media` downloads; absent unless the config or the command asks for it. */
  readonly media?: MediaPlan
  /** SHA-256 over all that shapes the outputs' bytes, and nothing of where they come from or go to. */
  readonly configHash: string
}
