import type { RecordPlan } from '../../records/process-block.ts'

/** How lines become records: the decision on each line, plus the handling of ids and days in the run as a whole. */
export interface RecordsPlan extends RecordPlan {
  readonly contractVersion: number
  readonly duplicates: 'keep' | 'last' | 'reject'
  /** IANA name of the time zone of days. */
  readonly timezone: string
  /** The table that `corrections` are from. */
  readonly correctionsFile?: string
}
