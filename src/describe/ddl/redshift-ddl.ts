import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { deleteByIds, failByCast, replaceRows, stageTables } from './changes-dialect.ts'
import { commentStatements, nameType, toRemote, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const redshiftDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: ['For Redshift. BUCKET is the bucket that the files are copied to, with their paths; timestamps are in UTC.'],
  quoteName,
  formatType: (column, { format }) => nameType(column, 'redshift', format, () => 'SUPER'),
  comments: commentStatements,
  changes: {
    transaction: ['BEGIN;', 'COMMIT;'],
    now: 'GETDATE()',
    formatStage: stageTables((name) => `DROP TABLE IF EXISTS ${name};\nCREATE TEMPORARY TABLE ${name}`),
    formatRefusal: failByCast,
    formatDelete: deleteByIds,
    formatUpsert: replaceRows,
    addColumn: null,
  },
  formatLoad(table, _, files) {
    const from = toRemote(files.path ?? files.prefix, 's3://BUCKET')
    return `COPY ${table}\nFROM ${quoteText(from)}\nIAM_ROLE default\n${formatFileFormat(files)};`
  },
}

function formatFileFormat({ format, gzip, csv }: PublishedFiles): string {
  if (format === 'parquet') return 'FORMAT AS PARQUET\nSERIALIZETOJSON'
  const compression = gzip ? '\nGZIP' : ''
  if (format === 'ndjson') return `FORMAT AS JSON 'auto'\nTIMEFORMAT 'auto'${compression}`
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const skip = header ? '\nIGNOREHEADER 1' : ''
  return `FORMAT AS CSV QUOTE AS ${quoteText(quote)} DELIMITER ${quoteText(delimiter)}${skip}\nTIMEFORMAT 'auto'\nEMPTYASNULL${compression}`
}
