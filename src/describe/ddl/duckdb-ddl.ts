import type { Column } from '../../records/flatten/column.ts'
import { metadataPath } from '../../lake/iceberg/locations.ts'
import { formatNewLine, quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { duckdbDialect } from '../../loads/databases/duckdb-dialect.ts'
import { formatNames } from '../../loads/databases/sql-dialect.ts'
import { deleteByIds, mergeRows, stageTables } from './changes-dialect.ts'
import { commentStatements, type DdlDialect, type PinnedTable, type PublishedFiles } from './ddl-dialect.ts'

export const duckdbDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: [],
  quoteName,
  formatType: (column) => duckdbDialect.formatType(column),
  comments: commentStatements,
  changes: {
    transaction: ['BEGIN;', 'COMMIT;'],
    formatKey: (columns) => `PRIMARY KEY (${columns.join(', ')})`,
    now: 'now()',
    formatStage: stageTables((name) => `CREATE OR REPLACE TEMPORARY TABLE ${name}`),
    formatRefusal: (condition, message) => `SELECT error(${quoteText(message)}) WHERE ${condition};`,
    formatDelete: deleteByIds,
    formatUpsert: mergeRows,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad: (table, columns, files) =>
    `INSERT INTO ${table} (${formatNames(columns)})\nSELECT ${columns.map((column) => formatValue(column, files)).join(', ')}\nFROM ${formatReader(columns, files)};`,
  views: {
    format: (view, table) => `CREATE OR REPLACE VIEW ${view} AS SELECT * FROM ${formatScan(table)};`,
    transaction: ['BEGIN;', 'COMMIT;'],
    notes: ['For DuckDB 1.4 or newer, which loads its extensions delta and iceberg when it needs them.'],
  },
}

function formatScan({ format, folder, version }: PinnedTable): string {
  return format === 'delta'
    ? `delta_scan(${quoteText(folder)}, version => ${version})`
    : `iceberg_scan(${quoteText(metadataPath(folder, version))})`
}

function formatReader(columns: readonly Column[], { format, pattern, csv }: PublishedFiles): string {
  const path = quoteText(pattern)
  if (format === 'parquet') return `read_parquet(${path}, hive_partitioning = false)`
  const types = columns
    .map((column) => `${quoteName(column.name)}: ${quoteText(toReadType(column, format))}`)
    .join(', ')
  if (format === 'ndjson')
    return `read_json(${path}, format = 'newline_delimited', hive_partitioning = false, columns = {${types}})`
  const { delimiter = ',', quote = '"', header = true, lineBreak = 'lf' } = csv ?? {}
  const signs = `header = ${header}, delim = ${quoteText(delimiter)}, quote = ${quoteText(quote)}, escape = ${quoteText(quote)}, ${formatNewLine(lineBreak)}`
  return `read_csv(${path}, auto_detect = false, hive_partitioning = false, ${signs}, allow_quoted_nulls = false, columns = {${types}})`
}

/** Lists in CSV are read as text and split by `formatValue`. */
function toReadType(column: Column, format: PublishedFiles['format']): string {
  return format === 'csv' && column.list ? 'VARCHAR' : duckdbDialect.formatType(column)
}

/**
 * Splits a list at its separators. Escaped separators become private-use characters first and are put back afterwards.
 */
function formatValue(column: Column, { csv }: PublishedFiles): string {
  const name = quoteName(column.name)
  if (csv === null || !column.list) return name
  const separator = quoteText(csv.listSeparator)
  const marked = `replace(replace(${name}, '\\\\', chr(57345)), concat('\\', ${separator}), chr(57346))`
  const element = `replace(replace(nullif(e, ''), chr(57346), ${separator}), chr(57345), '\\')`
  const list = `list_transform(string_split(${marked}, ${separator}), lambda e: ${element})`
  const empty = `${name} = ''`
  return `CASE WHEN ${empty} THEN [] ELSE CAST(${list} AS ${duckdbDialect.formatType(column)}) END`
}
