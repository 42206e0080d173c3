import type { WholeManifest } from '../manifest/read-manifest.ts'

/** A run as its page shows it: published or failed. */
export type ReportManifest = WholeManifest & {
  /** The error of a run that has published nothing. */
  readonly failure?: FailureView | undefined
}

export interface FailureView {
  readonly code: string
  readonly title: string
  readonly message: string
  readonly fix: string
}
