import type { OwnModule } from '../../records/flatten/table-plan.ts'
import type { OpenOwnOutput } from '../../records/own-output.ts'

/** An output of a config's own, for these tables of the plan. `module` is where its function is from. */
export interface OwnOutputPlan {
  readonly name: string
  readonly tables: readonly number[]
  readonly module?: OwnModule
  readonly open: OpenOwnOutput
}
