import type { Row } from './flatten/column.ts'
import type { RecordFate } from './record-table.ts'

/** The row of a record that has no rows in the tables. */
export function toTombstoneRow(id: string, fate: RecordFate): Row {
  return [id, fate === 'left' ? null : '', null, null, null]
}
