import { createNdjsonEncoder } from '../formats/ndjson.ts'
import { encodeRows } from './encode-rows.ts'
import type { ColumnChoice } from './row-cells.ts'
import type { Stage } from './stage.ts'

export interface ToNdjsonOptions {
  /** The columns in their order, by name or as `columnsOf` gives them. Without them the first row names them. */
  readonly columns?: readonly ColumnChoice[] | undefined
}

/**
 * Rows → lines of JSON objects with every column in order, null included. Integers keep all their digits, Dates are ISO
 * 8601 text. A row with a key that is no column ends the stream with OUTPUT_FAILED.
 */
export function toNdjson<RowObject extends object>({ columns }: ToNdjsonOptions = {}): Stage<RowObject, Buffer> {
  const format = { name: 'ndjson', formatHeader: () => new Uint8Array(), createEncoder: createNdjsonEncoder }
  return encodeRows<RowObject>(format, columns)
}
