import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { readBatches } from '../../loads/files/read-batches.ts'
import type { ColumnBatch } from '../../loads/files/column-batch.ts'
import { formatSqlType, quoteName } from '../../loads/files/sql-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import { parseColumnType } from '../../types/column-types.ts'
import { describeTable, type ReadableColumn } from '../profile/readable-table.ts'
import type { ReadingStatement } from './parse-statement.ts'
import { type KnownTables, translateError } from './translate-error.ts'

/** The columns of a result, in types that runs write. Its rows are computed when they are read. */
export interface SqlResult {
  readonly columns: readonly Column[]
  /** At most so many rows; undefined for all. */
  readBatches(limit?: number): AsyncGenerator<ColumnBatch>
}

/** Binds a statement. Throws USAGE for what DuckDB does not understand, in words of the user's tables. */
export async function prepareResult({ sql }: ReadingStatement, known: KnownTables, duckdb: Duckdb): Promise<SqlResult> {
  const translated = (error: unknown) => translateError(error, known)
  const from = `(\n${sql}\n)`
  const { columns: found } = await describeTable(duckdb, { name: 'result', from }).catch((error: unknown) => {
    throw translated(error)
  })
  const columns = found.map(toColumn)
  const cells = found.map((column, at) => `${formatCell(column)} AS c${at}`)
  return {
    columns,
    async *readBatches(limit) {
      const query = `SELECT ${cells.join(', ')} FROM ${from}${limit === undefined ? '' : ` LIMIT ${limit}`}`
      try {
        yield* readBatches(duckdb, query, columns)
      } catch (error) {
        throw translated(error)
      }
    },
  }
}

function toColumn(column: ReadableColumn): Column {
  const { name, type } = column
  const parsed = column.kind === null ? null : parseColumnType(type)
  return parsed === null ? { name, type: { kind: isNested(type) ? 'json' : 'text' }, list: false } : { name, ...parsed }
}

/** Converts to the type that the column has in files. Types that runs don't write become text or JSON. */
function formatCell(column: ReadableColumn): string {
  const cell = quoteName(column.name)
  if (column.kind === null)
    return isNested(column.type) ? `CAST(to_json(${cell}) AS VARCHAR)` : `CAST(${cell} AS VARCHAR)`
  // JSON has neither NaN nor infinity.
  const value = column.kind === 'float' && !column.list ? `CASE WHEN isfinite(${cell}) THEN ${cell} END` : cell
  return `CAST(${value} AS ${formatSqlType(toColumn(column))})`
}

function isNested(type: string): boolean {
  return /^(?:struct|map|union)\b|\]$/.test(type)
}
