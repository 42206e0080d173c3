import type { PreviewTable } from '../run/preview-plan.ts'
import type { Issue, LinePlace, RawText } from '../../records/reject.ts'

/** What a run of the config makes of the records with some ids, as their lines are now. */
export interface TraceReport {
  readonly pipeline: string
  readonly read: { readonly files: number; readonly lines: number; readonly bytes: number }
  /** In the order asked for. */
  readonly ids: readonly TracedId[]
  /** The run whose outputs are published, which may have had other lines or another config; null where there is none. */
  readonly published: PublishedRun | UnreadablePublication | null
}

/** The reason why it is not known which run is published. */
export interface UnreadablePublication {
  readonly unreadable: string
}

export interface PublishedRun {
  readonly runId: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  /** The corrected lines that took the place of others. */
  readonly replayed?: { readonly path: string; readonly lines: number }
}

export interface TracedId {
  readonly id: string
  /** The lines whose record has this id, in the order read. */
  readonly lines: readonly TracedLine[]
  /** The number of further lines, between the last two of `lines`. */
  readonly more: number
  /** Where no record has the id: some lines that have it as a value elsewhere. */
  readonly mentions: readonly Mention[]
}

export interface TracedLine extends LinePlace {
  /** `meta.index` of its envelope. */
  readonly index: number | null
  readonly raw: RawText
  readonly outcome: TracedOutcome
  /** Those that get rows of it, or whose `where` left elements out. */
  readonly tables: readonly TracedTable[]
}

/** The one decision on a line (docs/guarantees.md). */
export type TracedOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly issues: readonly Issue[] }
  /** By the first condition on records that it does not meet. */
  | {
      readonly kind: 'filtered'
      readonly by: string
      readonly path: string
      readonly condition: string
      /** The value at the path as it was delivered; a list of those at all paths where the condition has several. */
      readonly got: unknown
    }
  /** Another version of the record stays. */
  | { readonly kind: 'duplicate'; readonly of: LinePlace | null }

export interface TracedTable extends PreviewTable {
  /** Elements that the `where` of the table left out. */
  readonly filtered: number
}

/** A line that has the text of an id as a value elsewhere. */
export interface Mention extends LinePlace {
  /** The path of the value: `cnk`, `brands[].id`; null where it is part of a longer text. */
  readonly path: string | null
  /** The id of the line's record. */
  readonly id: string | null
  /** The reason why the line can't be read, where it can't: it may be a line of the record. */
  readonly unreadable: Issue | null
}
