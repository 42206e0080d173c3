/** The cells of a row by column, as NDJSON outputs have them: decimals and times as text; a whole number beyond 2^53 is a bigint. */
export type ChangedRow = Readonly<Record<string, unknown>>

export interface FoundChange {
  readonly change: 'new' | 'changed' | 'touched' | 'removed'
  readonly changedAt: string
  readonly id: string
  readonly before: ChangedRow | null
  readonly after: ChangedRow | null
}

/** What a run changed of one record. */
export interface RecordChange extends FoundChange {
  /** The rows of the record in the other tables that were asked for; none if it was removed. */
  readonly tables: Readonly<Record<string, readonly ChangedRow[]>>
  readonly run: string
  /** Null in a run that holds every record: what is not among its changes is no longer there. */
  readonly previousRun: string | null
  /** Continues behind this change, as `after`. */
  readonly token: string
}
