import { typeOf } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'

/** `"name"`, with quotes inside doubled, as in standard SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `'text'` as a standard string, in which a backslash is an ordinary character. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function formatDateTime(dateTime: Date): string {
  return `TIMESTAMPTZ ${quoteText(dateTime.toISOString())}`
}

/** What databases write in different ways in expressions. */
export interface SqlForms {
  formatDateTime(this: void, dateTime: Date): string
  /** Whether two values differ, where null equals null. */
  formatDistinct(this: void, one: string, other: string): string
  readonly oneMillisecond: string
  /** Null as a time. */
  readonly noTime: string
}

/** As DuckDB and PostgreSQL have them. */
export const standardForms: SqlForms = {
  formatDateTime,
  formatDistinct: (one, other) => `${one} IS DISTINCT FROM ${other}`,
  oneMillisecond: "INTERVAL '1 millisecond'",
  noTime: 'CAST(NULL AS TIMESTAMP WITH TIME ZONE)',
}

/** Parquet files as a table, in their order. Values in the names of Hive folders are not read as columns. */
export function formatParquetFiles(paths: readonly string[]): string {
  return `read_parquet(${formatPaths(paths)}, hive_partitioning = false)`
}

/** As `formatParquetFiles`, for files that differ in their columns: a file has null in those that it lacks. */
export function formatMixedFiles(paths: readonly string[]): string {
  return `read_parquet(${formatPaths(paths)}, union_by_name = true, hive_partitioning = false)`
}

/** Paths as a list, with the characters of patterns escaped. */
export function formatPaths(paths: readonly string[]): string {
  return `[${paths.map((path) => quoteText(path.replaceAll(/[*?[]/g, '[$&]'))).join(', ')}]`
}

/** The type as DuckDB reads it from our files, and as it prints it. */
export function formatSqlType({ type, list }: Pick<Column, 'type' | 'list'>): string {
  const { duckdb, duckdbFiles = duckdb } = typeOf(type).sql
  return list ? `${duckdbFiles}[]` : duckdbFiles
}

/** Null as a column that `readRows` takes: scalar timestamps stay in microseconds. */
export function formatNull(column: Column): string {
  return `NULL::${formatSqlType(column)}`
}

/** The end of lines of a CSV, which DuckDB otherwise takes from quoted texts too. DuckDB reads the backslashes itself. */
export function formatNewLine(lineBreak: 'lf' | 'crlf'): string {
  return `new_line = ${quoteText(lineBreak === 'crlf' ? '\\r\\n' : '\\n')}`
}
