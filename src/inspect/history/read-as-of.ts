import type { ColumnBatch } from '../../loads/files/column-batch.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { readBatches } from '../../loads/files/read-batches.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import type { AsOfTable } from './open-as-of.ts'

/** The rows of a table, ordered by record as those of merged files. */
export function readRows(
  duckdb: Duckdb,
  { from, stored }: AsOfTable,
  { idColumn, positionColumns }: KeyedTable,
  most?: number,
): AsyncGenerator<ColumnBatch> {
  const names = new Set(stored.map(({ name }) => name))
  const cells = stored.map(({ name }, at) => `${quoteName(name)} AS c${at}`).join(', ')
  // Appended rows of a record differ by their runs.
  const order = [idColumn, ...positionColumns, 'run_date', 'run_id'].filter((name) => names.has(name)).map(quoteName)
  const limit = most === undefined ? '' : ` LIMIT ${most}`
  return readBatches(duckdb, `SELECT ${cells} FROM ${from} ORDER BY ${order.join(', ')}${limit}`, stored)
}
