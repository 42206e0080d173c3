import type { Column, Row } from '../../records/flatten/column.ts'
import { mergeRows } from './merge-rows.ts'
import type { Duckdb } from './open-duckdb.ts'
import { readRows } from './read-rows.ts'
import { type RowQueries, type RowSet, selectDisorder, sortRows, toRowQueries } from './row-queries.ts'

/**
 * The rows of a set in its order, in batches; behind its columns each row has the texts of its partition. What stays
 * as it is has that order already, where the baseline is an output of the same order: then only the rest is sorted.
 */
export async function* readRowSet(duckdb: Duckdb, set: RowSet): AsyncGenerator<readonly Row[]> {
  const queries = toRowQueries(set)
  const columns = [...set.columns, ...set.partitionBy.map(toTextColumn)]
  const placed = readRows(duckdb, queries.placed, columns)
  if (queries.kept === null) return yield* placed
  const kept = readRows(duckdb, await toOrdered(duckdb, queries, queries.kept), columns)
  yield* mergeRows(kept, placed, queries.order)
}

async function toOrdered(duckdb: Duckdb, queries: RowQueries, kept: string): Promise<string> {
  const disorder = await duckdb.readAll(selectDisorder(queries, kept))
  return disorder.length === 0 ? kept : sortRows(queries, kept)
}

function toTextColumn(name: string): Column {
  return { name, type: { kind: 'text' }, list: false }
}
