import { quoteText } from '../../loads/files/sql-text.ts'
import { deleteByIds, mergeRows } from './changes-dialect.ts'
import { nameType, toRemote, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const bigqueryDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: [
    'For BigQuery. BUCKET is the bucket that the files are copied to, with their paths. Its arrays hold no NULL element.',
  ],
  quoteName: (name) => `\`${name.replaceAll('`', '\\`')}\``,
  formatType: (column, { format }) => nameType(column, 'bigquery', format, (element) => `ARRAY<${element}>`),
  comments: { kind: 'inline', format: (text) => `OPTIONS (description = ${JSON.stringify(text)})` },
  changes: {
    transaction: ['BEGIN TRANSACTION;', 'COMMIT TRANSACTION;'],
    now: 'CURRENT_TIMESTAMP()',
    formatStage: ({ name, due, formatColumns, formatLoads }) => ({
      load: formatLoads(`TEMP TABLE ${name} (${formatColumns()})`),
      empty: `DELETE FROM ${name} WHERE NOT (${due});`,
      drop: `DROP TABLE ${name};`,
    }),
    formatRefusal: (condition, message) => `SELECT ERROR(${quoteText(message)}) FROM (SELECT 1) WHERE ${condition};`,
    formatDelete: deleteByIds,
    formatUpsert: mergeRows,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad(table, _, files) {
    const uri = toRemote(files.path ?? `${files.prefix}*`, 'gs://BUCKET')
    const options = [...listFormatOptions(files), `uris = [${JSON.stringify(uri)}]`]
    return `LOAD DATA INTO ${table}\nFROM FILES (${options.join(', ')});`
  },
}

function listFormatOptions({ format, csv, gzip }: PublishedFiles): string[] {
  if (format === 'parquet') return ["format = 'PARQUET'", 'enable_list_inference = TRUE']
  const compression = gzip ? ["compression = 'GZIP'"] : []
  if (format === 'ndjson') return ["format = 'JSON'", ...compression]
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  return [
    "format = 'CSV'",
    ...compression,
    `field_delimiter = ${JSON.stringify(delimiter)}`,
    `quote = ${JSON.stringify(quote)}`,
    `skip_leading_rows = ${header ? 1 : 0}`,
    'allow_quoted_newlines = TRUE',
  ]
}
