import type { Row } from './flatten/column.ts'
import type { TombstoneKind } from './record-table.ts'

/** The row of a record that has no rows in the tables. */
export function toTombstoneRow(id: string, fate: TombstoneKind): Row {
  return [id, fate === 'filtered' ? null : '', null, null, null]
}
