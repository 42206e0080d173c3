import type { Column, ColumnType } from '../records/flatten/column.ts'
import { quoteText } from '../loads/files/sql-text.ts'
import type { DdlDialect, PublishedFiles } from './ddl-dialect.ts'

export const sparkDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Spark SQL and Databricks (there, USING DELTA does as well).'],
  quoteName,
  formatType,
  formatLoad(table, columns, files) {
    const view = quoteName('catalogue_files')
    const names = columns.map(({ name }) => quoteName(name)).join(', ')
    return [
      `CREATE OR REPLACE TEMPORARY VIEW ${view} (${formatColumns(columns, files)})`,
      `USING ${readers[files.format]} OPTIONS (${listOptions(files).join(', ')});`,
      `INSERT OVERWRITE TABLE ${table} SELECT ${names} FROM ${view};`,
    ].join('\n')
  },
}

const readers = { parquet: 'PARQUET', ndjson: 'JSON', csv: 'CSV' } as const

function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

function formatColumns(columns: readonly Column[], files: PublishedFiles): string {
  return columns.map((column) => `${quoteName(column.name)} ${formatType(column, files)}`).join(', ')
}

function formatType({ type, list }: Column, { format }: PublishedFiles): string {
  if (!list) return formatScalarType(type)
  return format === 'csv' ? 'STRING' : `ARRAY<${formatScalarType(type)}>`
}

function formatScalarType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return 'STRING'
    case 'integer':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE'
    case 'boolean':
      return 'BOOLEAN'
    case 'timestamp':
      return 'TIMESTAMP'
    case 'date':
      return 'DATE'
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`
  }
}

function listOptions({ format, pattern, csv }: PublishedFiles): string[] {
  const path = `path ${quoteText(pattern)}`
  if (format !== 'csv') return [path]
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const signs = `header ${quoteText(String(header))}, sep ${quoteText(delimiter)}, quote ${quoteText(quote)}, escape ${quoteText(quote)}`
  return [path, signs, `multiLine 'true'`]
}
