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
  const cells = stored.map(({ name }, at) => `${quoteName(name)} AS c${at}`).join(', ')
  const order = [idColumn, ...positionColumns].map(quoteName).join(', ')
  const limit = most === undefined ? '' : ` LIMIT ${most}`
  return readBatches(duckdb, `SELECT ${cells} FROM ${from} ORDER BY ${order}${limit}`, stored)
}
