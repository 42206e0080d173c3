/** The cells of a record in the feed of a built-in table, as NDJSON writes them. */
export type FeedRow = Readonly<Record<string, unknown>>

/** Computes the rows of a built-in table. */
export interface Computation {
  /** Takes a record, in the order of the lines. */
  add(row: FeedRow): void
  /**
   * The rows, in an order that depends on the records only, as lines of JSON: objects with the columns of the table, the
   * key as `id`. Other members are no part of a row. Every block but the last one has `linesPerBlock` lines.
   */
  compute(): Iterable<Buffer>
}

export const linesPerBlock = 5000
