import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { commentStatements, nameType, toRemote, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const redshiftDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Redshift. BUCKET is the bucket that the files are copied to, with their paths; timestamps are in UTC.'],
  quoteName,
  formatType,
  comments: commentStatements,
  formatLoad(table, _, files) {
    const from = toRemote(files.path ?? files.prefix, 's3://BUCKET')
    return `COPY ${table}\nFROM ${quoteText(from)}\nIAM_ROLE default\n${formatFileFormat(files)};`
  },
}

function formatType({ type, list }: Column, { format }: PublishedFiles): string {
  if (list) return format === 'csv' ? 'VARCHAR(65535)' : 'SUPER'
  return nameType(type, { ...typeNames, json: format === 'ndjson' ? 'SUPER' : typeNames.text })
}

const typeNames = {
  text: 'VARCHAR(65535)',
  integer: 'BIGINT',
  float: 'DOUBLE PRECISION',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
} as const

function formatFileFormat({ format, gzip, csv }: PublishedFiles): string {
  if (format === 'parquet') return 'FORMAT AS PARQUET\nSERIALIZETOJSON'
  const compression = gzip ? '\nGZIP' : ''
  if (format === 'ndjson') return `FORMAT AS JSON 'auto'\nTIMEFORMAT 'auto'${compression}`
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const skip = header ? '\nIGNOREHEADER 1' : ''
  return `FORMAT AS CSV QUOTE AS ${quoteText(quote)} DELIMITER ${quoteText(delimiter)}${skip}\nTIMEFORMAT 'auto'\nEMPTYASNULL${compression}`
}
