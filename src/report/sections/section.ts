import type { Html } from '../html.ts'
import type { RejectGroup } from '../../sources/rejects/reject-groups.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { PastRun } from '../../manifest/manifest.ts'
import type { RunProfile } from '../../kernel/profile/run-profile.ts'

export interface ReportContext {
  readonly manifest: ReportManifest
  readonly profile: RunProfile | null
  readonly examples: boolean
  /** A few rejected lines for each reason. */
  readonly rejects: readonly RejectGroup[]
  /** The last runs, this one last; none if there is no history. */
  readonly runs: readonly PastRun[]
  readonly limits: ReportLimits
}

/** The most of each kind that a page shows, to stay small. It says how many it leaves out. */
export interface ReportLimits {
  readonly columns: number
  readonly values: number
  readonly files: number
  readonly entries: number
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** Null if there is nothing to show. */
export type RenderSection = (context: ReportContext) => Section | null
