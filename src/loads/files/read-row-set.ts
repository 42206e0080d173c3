import type { Column } from '../../records/flatten/column.ts'
import type { ColumnBatch, ScalarValues } from './column-batch.ts'
import { mergeBatches, type SliceOf } from './merge-batches.ts'
import type { Duckdb } from './open-duckdb.ts'
import { readBatches } from './read-batches.ts'
import { type RowQueries, type RowSet, selectDisorder, sortRows, toRowQueries } from './row-queries.ts'

/**
 * The ordered rows of a set; the texts of its partition follow the columns. If the baseline is an output of the same
 * order, its kept rows are in order already, and only the rest is sorted.
 */
export async function* readRowSet(duckdb: Duckdb, set: RowSet): AsyncGenerator<SliceOf<ColumnBatch>> {
  const queries = toRowQueries(set)
  const columns = [...set.columns, ...set.partitionBy.map(toTextColumn)]
  const placed = readBatches(duckdb, queries.placed, columns)
  if (queries.kept !== null) {
    const kept = readBatches(duckdb, await toOrdered(duckdb, queries, queries.kept), columns)
    return yield* mergeBatches(kept, placed, (...rows) => compareRows(queries.order, ...rows))
  }
  for await (const batch of placed) yield { batch, from: 0, to: batch.length }
}

async function toOrdered(duckdb: Duckdb, queries: RowQueries, kept: string): Promise<string> {
  const disorder = await duckdb.readAll(selectDisorder(queries, kept))
  return disorder.length === 0 ? kept : sortRows(queries, kept)
}

function toTextColumn(name: string): Column {
  return { name, type: { kind: 'text' }, list: false }
}

function compareRows(
  order: readonly number[],
  one: ColumnBatch,
  at: number,
  other: ColumnBatch,
  otherAt: number,
): number {
  for (const column of order) {
    const [values, others] = [one.values[column], other.values[column]] as [ScalarValues, ScalarValues]
    const isText = values.offsets.length > 0
    const compared = isText ? compareTexts(values, at, others, otherAt) : compareIntegers(values, at, others, otherAt)
    if (compared !== 0) return compared
  }
  return 0
}

/** Compares by bytes of UTF-8, as DuckDB orders texts. */
function compareTexts(one: ScalarValues, at: number, other: ScalarValues, otherAt: number): number {
  const [start, otherStart] = [one.offsets[at] as number, other.offsets[otherAt] as number]
  const length = (one.offsets[at + 1] as number) - start
  const otherLength = (other.offsets[otherAt + 1] as number) - otherStart
  for (let index = 0; index < Math.min(length, otherLength); index++) {
    const difference = (one.bytes[start + index] as number) - (other.bytes[otherStart + index] as number)
    if (difference !== 0) return difference
  }
  return length - otherLength
}

function compareIntegers(one: ScalarValues, at: number, other: ScalarValues, otherAt: number): number {
  return Number(readInteger(one, at) - readInteger(other, otherAt))
}

function readInteger({ bytes }: ScalarValues, index: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(index * 8, true)
}
