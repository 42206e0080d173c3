import type { Column } from '../../records/flatten/column.ts'
import { metadataPath } from '../../lake/iceberg/locations.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import { nameType, quoteEscaped, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const sparkDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Spark SQL and Databricks (there, USING DELTA does as well).'],
  quoteName,
  formatType,
  comments: { kind: 'inline', format: (text) => `COMMENT ${quoteEscaped(text)}` },
  formatLoad(table, columns, files) {
    const view = quoteName('catalogue_files')
    const names = columns.map(({ name }) => quoteName(name)).join(', ')
    return [
      `CREATE OR REPLACE TEMPORARY VIEW ${view} (${formatColumns(columns, files)})`,
      `USING ${readers[files.format]} OPTIONS (${listOptions(files).join(', ')});`,
      `INSERT OVERWRITE TABLE ${table} SELECT ${names} FROM ${view};`,
    ].join('\n')
  },
  views: {
    format: (view, { format, folder, version }) =>
      format === 'delta'
        ? `CREATE OR REPLACE VIEW ${view} AS SELECT * FROM delta.${quoteName(folder)} VERSION AS OF ${version};`
        : `CREATE OR REPLACE TEMPORARY VIEW ${view} USING iceberg OPTIONS (path ${quoteEscaped(metadataPath(folder, version))});`,
    notes: ['For Spark SQL and Databricks. Views of Iceberg tables are temporary: run this in each session.'],
  },
}

const readers = { parquet: 'PARQUET', ndjson: 'JSON', csv: 'CSV' } as const

function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

function formatColumns(columns: readonly Column[], files: PublishedFiles): string {
  return columns.map((column) => `${quoteName(column.name)} ${formatType(column, files)}`).join(', ')
}

function formatType(column: Column, { format }: PublishedFiles): string {
  return nameType(column, 'spark', format, (element) => `ARRAY<${element}>`)
}

function listOptions({ format, pattern, csv }: PublishedFiles): string[] {
  const path = `path ${quoteText(pattern)}`
  if (format !== 'csv') return [path]
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const signs = `header ${quoteText(String(header))}, sep ${quoteText(delimiter)}, quote ${quoteText(quote)}, escape ${quoteText(quote)}`
  // By default an empty text within quotes is NULL, too: this character for no value is in no text.
  return [path, signs, String.raw`nullValue '\uE000'`, `multiLine 'true'`]
}
