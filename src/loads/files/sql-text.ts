import type { Column, ColumnType } from '../../records/flatten/column.ts'

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
  return formatScalarType(type) + (list ? '[]' : '')
}

/** A column as `readRows` takes it: scalar timestamps stay what they are, of microseconds. */
export function formatNull(column: Column): string {
  return `NULL::${formatSqlType(column)}`
}

function formatScalarType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return 'VARCHAR'
    case 'integer':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE'
    case 'boolean':
      return 'BOOLEAN'
    case 'timestamp':
      return 'TIMESTAMP WITH TIME ZONE'
    case 'date':
      return 'DATE'
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`
  }
}
