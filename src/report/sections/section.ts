import type { Html } from '../html.ts'
import type { RejectGroup } from '../../sources/rejects/reject-groups.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { RunProfile } from '../../kernel/profile/run-profile.ts'

/** Everything that a section is made from. */
export interface ReportContext {
  readonly manifest: ReportManifest
  readonly profile: RunProfile | null
  /** Values of records may be shown. */
  readonly examples: boolean
  /** A few rejected lines for each reason. */
  readonly rejects: readonly RejectGroup[]
  readonly limits: ReportLimits
}

/** The most of each kind that a page shows, so that it stays small; it says how many it leaves out. */
export interface ReportLimits {
  /** Columns in all tables together. */
  readonly columns: number
  /** Frequent values of a column. */
  readonly values: number
  readonly files: number
  /** Entries of every other list. */
  readonly entries: number
}

export interface Section {
  /** Its anchor in the page. */
  readonly id: string
  readonly title: string
  readonly body: Html
}

/** Null where there is nothing to show. */
export type RenderSection = (context: ReportContext) => Section | null
