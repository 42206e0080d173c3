import type { Column } from '../../records/flatten/column.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { deleteByIds, replaceRows, stageTables } from './changes-dialect.ts'
import { nameType, quoteEscaped, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

const tableOptions = 'ENGINE = MergeTree ORDER BY tuple()'

export const clickhouseDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  refuses: ({ csv }) =>
    csv === null || csv.quote === '"' ? null : `quote ${csv.quote}, which ClickHouse does not read`,
  notes: [
    'For clickhouse-client: FROM INFILE reads files of the machine that it runs on. An array is never NULL: a missing list is an empty one.',
  ],
  quoteName,
  formatType,
  comments: { kind: 'inline', format: (text) => `COMMENT ${quoteEscaped(text)}` },
  tableOptions,
  changes: {
    transaction: null,
    // Replicas would drop rows that equal deleted ones.
    settings: ['SET insert_deduplicate = 0;'],
    now: 'now64(3)',
    // A DELETE sees no table of the session.
    formatStage: stageTables((name) => `CREATE OR REPLACE TABLE ${name}`, ` ${tableOptions}`),
    formatRefusal: (condition, message) => `SELECT throwIf(${condition}, ${quoteEscaped(message)});`,
    formatDelete: deleteByIds,
    formatUpsert: replaceRows,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad(table, columns, files) {
    const names = columns.map(({ name }) => quoteName(name)).join(', ')
    const settings = listSettings(files)
    const path = quoteEscaped(files.pattern)
    const format = readers[files.format](files)
    const withSettings = settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`
    const from = isObjectPath(files.pattern)
      ? [
          `SELECT ${names} FROM s3(${path}, ${quoteEscaped(format)}, ${quoteEscaped(formatColumns(columns, files))})`,
          withSettings,
        ]
      : [`FROM INFILE ${path}${files.gzip ? " COMPRESSION 'gzip'" : ''}`, withSettings, `FORMAT ${format}`]
    return `${[`INSERT INTO ${table} (${names})`, ...from].filter((line) => line !== '').join('\n')};`
  },
}

function quoteName(name: string): string {
  return `"${name.replaceAll(/[\\"]/g, '\\$&')}"`
}

function formatType(column: Column, { format }: Pick<PublishedFiles, 'format'>): string {
  return nameType(column, 'clickhouse', format, (element) => `Array(${element})`)
}

function formatColumns(columns: readonly Column[], files: PublishedFiles): string {
  return columns.map((column) => `${quoteName(column.name)} ${formatType(column, files)}`).join(', ')
}

const readers = {
  parquet: () => 'Parquet',
  ndjson: () => 'JSONEachRow',
  csv: ({ csv, isLabelled }: PublishedFiles) => (csv?.header === false || isLabelled ? 'CSV' : 'CSVWithNames'),
} as const

/** By default ClickHouse takes `\N` for NULL, trims texts, and takes a first line of words for a header. */
function listSettings({ format, csv, isLabelled }: PublishedFiles): string[] {
  if (format === 'parquet') return []
  const times = "date_time_input_format = 'best_effort'"
  if (format === 'ndjson') return [times]
  return [
    times,
    `format_csv_delimiter = ${quoteEscaped(csv?.delimiter ?? ',')}`,
    "format_csv_null_representation = ''",
    'input_format_csv_trim_whitespaces = 0',
    'input_format_csv_detect_header = 0',
    ...(isLabelled ? ['input_format_csv_skip_first_lines = 1'] : []),
  ]
}
