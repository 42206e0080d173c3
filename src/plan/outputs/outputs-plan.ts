import type { ObjectSettings } from '../../storage/s3/object-settings.ts'
import type { StatefulPlan } from '../loads/stateful-plan.ts'
import type { MediaPlan } from '../media/media-plan.ts'
import type { FilePlan } from './file-plan.ts'
import type { OwnOutputPlan } from './own-output-plan.ts'

export interface OutputsPlan {
  readonly files: readonly FilePlan[]
  /** Null if all outputs are whole files that depend on no earlier run. */
  readonly stateful: StatefulPlan | null
  /** Outputs of the config's own. Default none. */
  readonly own?: readonly OwnOutputPlan[]
  readonly s3?: ObjectSettings
  /** Plan of the command `media`; absent unless the config or the command asks for it. */
  readonly media?: MediaPlan
  /** SHA-256 over everything that shapes the bytes of the outputs, without origins and destinations. */
  readonly configHash: string
}
