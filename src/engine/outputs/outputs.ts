import type { Reject } from '../../records/reject.ts'
import type { EncodedBlock } from '../../encode/encoding-plan.ts'
import type { ProcessedBlock, ReadEnd } from '../reading/read-lines.ts'
import type { FinishedOutputs } from './output-reports.ts'
import type { RunCounters } from '../reading/run-counters.ts'

/** What is known once everything was read and encoded. */
export interface RunEnd {
  readonly runId: string
  /** By the clock of this machine. */
  readonly startedAt: Date
  readonly read: ReadEnd
  readonly counters: RunCounters
  /** How many lines were read at most, where the run is a sample. */
  readonly limit: number | null
}

/** Rejects up to now. */
export interface RejectsSeen {
  /** Where and why the first line was rejected; null while none was. */
  readonly firstReject: string | null
  /** The first few of them. */
  readonly rejectSamples: readonly Reject[]
  /** Those of records that were rejected in an earlier run already, and are known to be stale; default none. */
  readonly repeatedRejects?: number
}

/** Everything that one run writes: prepared while it goes on, published together at its end, or discarded together. */
export interface Outputs extends RejectsSeen {
  /** Takes the pieces and rejects of a block. Resolves when there is room for more, and the buffer of the pieces is free. */
  write(block: ProcessedBlock<EncodedBlock>): Promise<void>
  /** Makes everything ready, so that publishing is all that is left. */
  finish(end: RunEnd): Promise<FinishedOutputs>
  /** All of it, or nothing. The report becomes the manifest. */
  publish(report: FinishedOutputs): Promise<void>
  /** Undoes what is not published; with `keepRejects` the rejects get their name all the same, if there are any. */
  discard(options?: { readonly keepRejects?: boolean }): Promise<void>
}
