import type { WholeManifest } from '../manifest/read-manifest.ts'

/** A published or failed run, as its page shows it. */
export type ReportManifest = WholeManifest & {
  readonly failure?: FailureView | undefined
}

export interface FailureView {
  readonly code: string
  readonly title: string
  readonly message: string
  readonly fix: string
}
