import { typeOf } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'

/** `"name"`, with quotes inside written twice: what all identifiers of standard SQL understand. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `'text'`, for standard strings, in which a backslash is nothing special. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function formatDateTime(dateTime: Date): string {
  return `TIMESTAMPTZ ${quoteText(dateTime.toISOString())}`
}

/** Parquet files as a table, in their order. Values in the names of their folders are no columns. */
export function formatParquetFiles(paths: readonly string[]): string {
  return `read_parquet(${formatPaths(paths)}, hive_partitioning = false)`
}

/** Paths as a list, with what is a pattern in them meant literally. */
export function formatPaths(paths: readonly string[]): string {
  return `[${paths.map((path) => quoteText(path.replaceAll(/[*?[]/g, '[$&]'))).join(', ')}]`
}

/** As DuckDB reads it from our files, and as it prints it. */
export function formatSqlType({ type, list }: Pick<Column, 'type' | 'list'>): string {
  const { duckdb, duckdbFiles = duckdb } = typeOf(type).sql
  return list ? `${duckdbFiles}[]` : duckdbFiles
}

/** A column as `readRows` takes it: scalar timestamps stay what they are, of microseconds. */
export function formatNull(column: Column): string {
  return `NULL::${formatSqlType(column)}`
}
