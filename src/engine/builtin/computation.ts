import type { Row } from '../../records/flatten/column.ts'

/** The cells of a record in the feed of a built-in table, as NDJSON writes them. */
export type FeedRow = Readonly<Record<string, unknown>>

/** Computes the rows of a built-in table. */
export interface Computation {
  /** Takes a record, in the order of the lines. What it keeps of each has to be small: a run may have millions. */
  add(row: FeedRow): void
  /** The rows, in an order that depends on the records only. `read` reads the whole feed again, as often as is needed. */
  compute(read: () => Iterable<FeedRow>): Iterable<Row>
}
