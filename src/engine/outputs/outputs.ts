import type { RequiredContext } from '../../run-context.ts'
import type { Reject } from '../../records/reject.ts'
import type { FixedLines } from '../../rejects/fixed-lines.ts'
import type { EncodedBlock } from '../../encode/encoding-plan.ts'
import type { ProcessedBlock, ReadEnd } from '../reading/read-lines.ts'
import type { FinishedOutputs } from './output-reports.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { BrokenReport } from '../../manifest/manifest.ts'

export interface StagingOptions extends RequiredContext<'token'> {
  readonly storage: FileStorage
  /** Corrected lines that the outputs have in the place of rejected ones, to be kept for the next corrections. */
  readonly corrections?: Pick<FixedLines, 'lines'> | undefined
}

/** The facts of a run once everything is read and encoded. */
export interface RunEnd {
  readonly runId: string
  /** By the clock of this machine. */
  readonly startedAt: Date
  readonly read: ReadEnd
  readonly counters: RunCounters
  /** The limit of lines of a run that is a sample; null without a limit. */
  readonly limit: number | null
}

/** The report of a run, with the members that its page shows. It becomes the manifest. */
export type PublishedReport = FinishedOutputs & ReportManifest

/** Rejects up to now. */
export interface RejectsSeen {
  /** Position and reason of the first reject; null while there is none. */
  readonly firstReject: string | null
  /** The first few of them. */
  readonly rejectSamples: readonly Pick<Reject, 'issues' | 'raw'>[]
  /** Those of records that were rejected in an earlier run already, and are known to be stale; default none. */
  readonly repeatedRejects?: number
}

/** The files of a failed run that stay, as they say what failed. Default none. */
export interface KeptFiles {
  readonly keepRejects?: boolean
  readonly keepBroken?: boolean
  /** The run that a page is kept of, unless the config wants none. */
  readonly failed?: FailedRun | null
}

/** Everything that one run writes: prepared while it reads, published together at its end, or discarded together. */
export interface Outputs extends RejectsSeen {
  /** Takes the pieces and rejects of a block. Resolves when there is room for more, and the buffer of the pieces is free. */
  write(block: ProcessedBlock<EncodedBlock>): Promise<void>
  /** Writes the rows that break rules, if any does. To be called once all is read. */
  writeBroken(counters: RunCounters): Promise<void>
  /** The file of the rows that break rules; null if none does, or before they are written. */
  readonly brokenRows: BrokenReport | null
  /** Completes all of it, still under staging names. */
  finish(end: RunEnd): Promise<FinishedOutputs>
  /** All of it, or nothing. */
  publish(report: PublishedReport): Promise<void>
  /** Undoes what is not published; what is kept gets its name all the same, if there is any of it. */
  discard(kept?: KeptFiles): Promise<void>
}

/** A run that has read everything, and must not publish it. */
export interface FailedRun extends Pick<RunEnd, 'runId' | 'counters'> {
  readonly report: ReportManifest
}
