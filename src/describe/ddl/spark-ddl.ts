import type { Column } from '../../records/flatten/column.ts'
import { metadataPath } from '../../lake/iceberg/locations.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import { mergeRows, type Stage, type StageStatements } from './changes-dialect.ts'
import { nameType, quoteEscaped, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const sparkDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Spark SQL and Databricks (there, USING DELTA does as well).'],
  quoteName,
  formatType,
  comments: { kind: 'inline', format: (text) => `COMMENT ${quoteEscaped(text)}` },
  changes: {
    transaction: null,
    tableOptions: 'USING DELTA',
    now: 'CURRENT_TIMESTAMP',
    formatStage,
    formatRefusal: (condition, message) => `SELECT raise_error(${quoteEscaped(message)}) WHERE ${condition};`,
    // Delta takes no query in DELETE.
    formatDelete: (table, idColumn, query) =>
      `MERGE INTO ${table} AS t USING (${query}) AS s ON t.${idColumn} = s.record WHEN MATCHED THEN DELETE;`,
    formatUpsert: mergeRows,
    addColumn: null,
  },
  formatLoad(table, columns, files) {
    const view = quoteName('catalogue_files')
    const names = columns.map(({ name }) => quoteName(name)).join(', ')
    return [formatView(view, columns, files), `INSERT OVERWRITE TABLE ${table} SELECT ${names} FROM ${view};`].join(
      '\n',
    )
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

function formatView(view: string, columns: readonly Column[], files: PublishedFiles): string {
  const options = listOptions(files).join(', ')
  return `CREATE OR REPLACE TEMPORARY VIEW ${view} (${formatColumns(columns, files)})\nUSING ${readers[files.format]} OPTIONS (${options});`
}

/** Files are read where they are. */
function formatStage({ name, columns, files, due }: Stage): StageStatements {
  const views = files.map((_, at) => `${name.slice(0, -1)}_${at + 1}\``)
  const rows = views.map((view) => `SELECT * FROM ${view}`).join(' UNION ALL ')
  return {
    load: [
      ...files.map((each, at) => formatView(views[at] ?? '', columns, each)),
      `CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT * FROM (${rows}) WHERE ${due};`,
    ].join('\n'),
    empty: null,
    drop: [name, ...views].map((view) => `DROP VIEW ${view};`).join('\n'),
  }
}

function formatType(column: Column, { format }: Pick<PublishedFiles, 'format'>): string {
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
