import { posix } from 'node:path'
import { quoteText } from '../../loads/files/sql-text.ts'
import { deleteByIds, failByCast, mergeRows, stageTables } from './changes-dialect.ts'
import { commentStatements, nameType, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

/** SQL for Snowflake. Quoted names in capitals equal the same names without quotes, and may be reserved words. */
export const snowflakeDdl: DdlDialect = {
  listFormats: () => ['parquet', 'ndjson', 'csv'],
  notes: [
    'For Snowflake. CATALOGUE is a stage: an external one over the bucket, or an internal one that PUT fills, with the files under their paths.',
  ],
  quoteName: (name) => `"${name.toUpperCase().replaceAll('"', '""')}"`,
  formatType: (column, { format }) => nameType(column, 'snowflake', format, () => 'ARRAY'),
  comments: commentStatements,
  changes: {
    transaction: ['BEGIN;', 'COMMIT;'],
    now: 'CURRENT_TIMESTAMP',
    formatStage: stageTables((name) => `CREATE OR REPLACE TRANSIENT TABLE ${name}`),
    formatRefusal: failByCast,
    formatDelete: deleteByIds,
    formatUpsert: mergeRows,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad(table, _, files, again = false) {
    const isNamed = files.format !== 'csv'
    const lines = [
      `COPY INTO ${table}`,
      `FROM ${quoteText(`@CATALOGUE/${toStageFolder(files)}`)}`,
      files.path === null
        ? `PATTERN = ${quoteText(toPattern(files))}`
        : `FILES = (${quoteText(posix.basename(files.path))})`,
      `FILE_FORMAT = (${formatFileFormat(files)})`,
      ...(isNamed ? ['MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE'] : []),
      'ON_ERROR = ABORT_STATEMENT',
      ...(again ? ['FORCE = TRUE'] : []),
    ]
    return `${lines.join('\n')};`
  },
}

/** The folder of all files: a path that names a file itself would also stand for files whose names begin with it. */
function toStageFolder({ prefix }: PublishedFiles): string {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1).replace(/^s3:\/\/[^/]+\//, '')
  return folder.replace(/^(?:\.?\/)+/, '')
}

/** A regular expression that matches whole paths. */
function toPattern({ pattern }: PublishedFiles): string {
  const parts = pattern.split('*').map((part) => part.replace(/^.*:\/\/[^/]+\//, '').replaceAll('.', '[.]'))
  return `.*${parts.join('[^/]*')}`
}

function formatFileFormat({ format, gzip, csv }: PublishedFiles): string {
  const compression = gzip ? ' COMPRESSION = GZIP' : ''
  if (format === 'parquet') return 'TYPE = PARQUET USE_LOGICAL_TYPE = TRUE'
  if (format === 'ndjson') return `TYPE = JSON${compression}`
  const { delimiter = ',', quote = '"', header = true } = csv ?? {}
  const signs = `FIELD_DELIMITER = ${quoteText(delimiter)} FIELD_OPTIONALLY_ENCLOSED_BY = ${quoteText(quote)}`
  return `TYPE = CSV${compression} ${signs} SKIP_HEADER = ${header ? 1 : 0} NULL_IF = () EMPTY_FIELD_AS_NULL = TRUE`
}
