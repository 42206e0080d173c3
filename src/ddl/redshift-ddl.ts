import type { Column, ColumnType } from '../records/flatten/column.ts'
import { quoteName, quoteText } from '../loads/files/sql-text.ts'
import { type DdlDialect, type PublishedFiles, toRemote } from './ddl-dialect.ts'

export const redshiftDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Redshift. BUCKET is the bucket that the files are copied to, with their paths; timestamps are in UTC.'],
  quoteName,
  formatType,
  formatLoad(table, _, files) {
    const from = toRemote(files.path ?? files.prefix, 's3://BUCKET')
    return `COPY ${table}\nFROM ${quoteText(from)}\nIAM_ROLE default\n${formatFileFormat(files)};`
  },
}

function formatType({ type, list }: Column, { format }: PublishedFiles): string {
  if (list) return format === 'csv' ? 'VARCHAR(65535)' : 'SUPER'
  return formatScalarType(type, format)
}

function formatScalarType(type: ColumnType, format: PublishedFiles['format']): string {
  switch (type.kind) {
    case 'text':
      return 'VARCHAR(65535)'
    case 'json':
      return format === 'ndjson' ? 'SUPER' : 'VARCHAR(65535)'
    case 'integer':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE PRECISION'
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

function formatFileFormat({ format, gzip, csv }: PublishedFiles): string {
  if (format === 'parquet') return 'FORMAT AS PARQUET\nSERIALIZETOJSON'
  const compression = gzip ? '\nGZIP' : ''
  if (format === 'ndjson') return `FORMAT AS JSON 'auto'\nTIMEFORMAT 'auto'${compression}`
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const skip = header ? '\nIGNOREHEADER 1' : ''
  return `FORMAT AS CSV QUOTE AS ${quoteText(quote)} DELIMITER ${quoteText(delimiter)}${skip}\nTIMEFORMAT 'auto'\nEMPTYASNULL${compression}`
}
