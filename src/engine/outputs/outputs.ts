import type { RequiredContext } from '../../run-context.ts'
import type { Reject } from '../../records/reject.ts'
import type { FixedLines } from '../../sources/rejects/fixed-lines.ts'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import type { ProcessedBlock, ReadEnd } from '../reading/read-lines.ts'
import type { FinishedOutputs } from './output-reports.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { Frame } from '../frame.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { BrokenReport, PastRun } from '../../manifest/manifest.ts'
import type { RunHistory } from './run-history.ts'

export interface StagingOptions extends RequiredContext<'token'> {
  readonly storage: FileStorage
  readonly confirmLock?: Frame['confirmLock'] | undefined
  /** Corrected lines that replace rejected ones; kept for later corrections. */
  readonly corrections?: Pick<FixedLines, 'lines'> | undefined
  /** Gets a line for the run. Default: none is kept. */
  readonly history?: RunHistory | null | undefined
}

export interface RunEnd {
  readonly runId: string
  /** By the clock of this machine. */
  readonly startedAt: Date
  readonly read: ReadEnd
  readonly counters: RunCounters
  readonly limit: number | null
}

/** The report of a run, including what its page shows. It becomes the manifest. */
export type PublishedReport = FinishedOutputs & ReportManifest

export interface RejectsSeen {
  readonly firstReject: string | null
  readonly rejectSamples: readonly Pick<Reject, 'issues' | 'raw'>[]
  /** Number of rejected records that an earlier run rejected too and marked as stale. Default none. */
  readonly repeatedRejects?: number
}

/** Files of a failed run that are kept because they explain the failure. Default none. */
export interface KeptFiles {
  readonly keepRejects?: boolean
  readonly keepBroken?: boolean
  /** The failed run to keep a page of, unless the config disables pages. */
  readonly failed?: FailedRun | null
}

/** Everything that one run writes. It is staged while reading, then published or discarded as a whole. */
export interface Outputs extends RejectsSeen {
  /**
   * Writes the pieces and rejects of a block. Resolves when there is room for more; then the caller may reuse the
   * buffer of the pieces.
   */
  write(block: ProcessedBlock<EncodedBlock>): Promise<void>
  /** Writes the rows that break rules. Call it after reading. */
  writeBroken(counters: RunCounters): Promise<void>
  readonly brokenRows: BrokenReport | null
  finish(end: RunEnd): Promise<FinishedOutputs>
  /** Publishes everything or nothing. Resolves with what the report has more then. */
  publish(report: PublishedReport): Promise<Pick<PublishedReport, 'databases'>>
  /** Discards what is not published, except the kept files, which get their final names. */
  discard(kept?: KeptFiles): Promise<void>
}

export interface FailedRun extends Pick<RunEnd, 'runId' | 'counters'> {
  /** The last runs, with this one. */
  readonly runs: readonly PastRun[]
  readonly report: ReportManifest
}
