import type { LimitsPlan } from './limits-plan.ts'
import type { OutputsPlan } from './outputs/outputs-plan.ts'
import type { RecordsPlan } from './records/records-plan.ts'
import type { ReportPlan } from './report-plan.ts'
import type { SourcePlan } from './source/source-plan.ts'

/** Everything that a run does, decided before anything is read. Plain data. */
export interface PipelinePlan {
  readonly name: string
  readonly source: SourcePlan
  readonly records: RecordsPlan
  readonly outputs: OutputsPlan
  readonly limits: LimitsPlan
  readonly report: ReportPlan
  /** SQL by name, for the command `sql`; absent if the config has none. */
  readonly questions?: Readonly<Record<string, string>>
}
