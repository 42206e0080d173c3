import type { PreviewTable } from '../../engine/run/preview-plan.ts'
import type { Issue, LinePlace, RawText } from '../../records/reject.ts'

/** What a run of the config makes of the records with some ids, from their current lines. */
export interface TraceReport {
  readonly pipeline: string
  readonly read: { readonly files: number; readonly lines: number; readonly bytes: number }
  readonly ids: readonly TracedId[]
  /** The published run, which may have had other lines or another config; null if there is none. */
  readonly published: PublishedRun | UnreadablePublication | null
}

export interface UnreadablePublication {
  readonly unreadable: string
}

export interface PublishedRun {
  readonly runId: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  readonly replayed?: { readonly path: string; readonly lines: number }
}

export interface TracedId {
  readonly id: string
  /** For a record that was found by a code that it has. */
  readonly code?: { readonly written: string; readonly path: string }
  readonly lines: readonly TracedLine[]
  /** Number of further lines, between the last two of `lines`. */
  readonly more: number
  /** If no record has the id, some lines that have it as another value. */
  readonly mentions: readonly Mention[]
}

export interface TracedLine extends LinePlace {
  /** `meta.index` of its envelope. */
  readonly index: number | null
  readonly raw: RawText
  readonly outcome: TracedOutcome
  /** Tables with rows from the line, or with elements excluded by `where`. */
  readonly tables: readonly TracedTable[]
}

/** The decision on a line (docs/guarantees.md). */
export type TracedOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly issues: readonly Issue[] }
  | {
      readonly kind: 'filtered'
      readonly by: string
      readonly path: string
      readonly condition: string
      /** The delivered value at the path; a list if the condition has several paths. */
      readonly got: unknown
    }
  | { readonly kind: 'duplicate'; readonly of: LinePlace | null }

export interface TracedTable extends PreviewTable {
  readonly filtered: number
}

export interface Mention extends LinePlace {
  /** Path of the value: `cnk`, `brands[].id`; null if it is part of a longer text. */
  readonly path: string | null
  readonly id: string | null
  /** Why the line can't be read, or null. It may belong to the record. */
  readonly unreadable: Issue | null
}
