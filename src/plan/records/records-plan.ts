import type { RecordPlan } from '../../records/process-block.ts'

/** What is made of the lines: the decision on each of them, and what the run as a whole does about ids and days. */
export interface RecordsPlan extends RecordPlan {
  readonly contractVersion: number
  readonly duplicates: 'keep' | 'last' | 'reject'
  /** The time zone of days, by its IANA name. */
  readonly timezone: string
}
