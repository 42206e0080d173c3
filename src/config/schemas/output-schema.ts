import { z } from 'zod'
import { defaultCsvDialect } from '../../formats/csv.ts'
import { isServer, type ServerFormat } from '../database-servers.ts'
import { ownOutput } from './own-function.ts'
import { byteSize, count, duration } from './number-shapes.ts'
import { locale } from './selection-schema.ts'

const path = z
  .string()
  .min(1)
  .describe('May hold {pipeline} and {table}; .gz compresses CSV and NDJSON; s3://… is in a bucket')
const onlyTables = z.array(z.string()).min(1).optional().describe('The tables that this output holds; by default all')
const dialect = defaultCsvDialect

const labels = locale
  .optional()
  .describe('The locale of the labels that the header has, such as nl; by default it has the names of the columns')

const removed = z
  .enum(['drop', 'mark'])
  .optional()
  .describe('With merge: rows of a removed record are dropped, the default, or marked with _removed_at')

/** Keys of databases and lakes about earlier runs. */
const keeping = {
  mode: z
    .enum(['snapshot', 'append', 'merge', 'history'])
    .optional()
    .describe(
      'snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge',
    ),
  removed,
}

/** The same of files. */
const keepingFiles = {
  mode: z
    .enum(['snapshot', 'append', 'changes', 'merge', 'history'])
    .optional()
    .describe(
      'snapshot: what this run read; append: what every run brought; changes: what every run changed, with removals; merge: each record as it is now; history: every version. By default snapshot, with incremental merge',
    ),
  removed,
  touched: z
    .boolean()
    .optional()
    .describe('With changes: records whose content is the same, but not updatedAt, are among them, too. Default false'),
}

/** How the rows of a table are shared out over files. */
const sharing = {
  partitionBy: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Columns whose values become folders such as status=active; a table without them has none'),
  rowsPerFile: count.optional().describe('The number of rows after which another file begins'),
  bytesPerFile: byteSize.optional().describe('The same by size, such as 256MB'),
}

const databaseSchema = z.string().regex(/^[A-Za-z_]\w{0,62}$/, 'letters, digits and _, at most 63')

const lockTimeout = duration
  .optional()
  .describe('How long a load waits for locks of others on its tables, in all; by default 1m')

const lakePath = z
  .string()
  .min(1)
  .describe('The folder of a table: holds {table}, may hold {pipeline}; s3://… is in a bucket')

/** The tables of a lake. */
const lake = {
  path: lakePath.default('out/{pipeline}/{table}'),
  tables: onlyTables,
  compression: z.enum(['zstd', 'snappy', 'gzip', 'none']).default('zstd').describe('The compression of pages'),
  deletes: z
    .enum(['rewrite', 'vectors'])
    .default('rewrite')
    .describe(
      'With merge and history: data files with changed rows are written anew, or lists say which of their rows are deleted (deletion vectors of Delta, position deletes of Iceberg), which is less to write and which not every engine reads',
    ),
  ...keeping,
}

/** A REST catalog of Iceberg tables. */
const catalog = z.strictObject({
  url: z.string().min(1).describe('The address of the catalog, which ends before /v1; best ${CATALOG}'),
  warehouse: z.string().min(1).optional().describe('The warehouse in the catalog, if it has several'),
  token: z.string().min(1).optional().describe('A bearer token; best ${CATALOG_TOKEN}'),
  credential: z
    .string()
    .regex(/^[^:]+:.+$/, 'id:secret of a client')
    .optional()
    .describe('Id and secret of a client, id:secret, for OAuth2 in place of a token; best ${CATALOG_CREDENTIAL}'),
  oauthUrl: z.string().min(1).optional().describe('Where a client gets its token; by default the catalog'),
  scope: z.string().min(1).optional().describe('The scope that a client asks for; by default catalog'),
})

/** One output: files of one format, or the tables of one database. */
export const output = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('parquet').describe('One Parquet file a table'),
    path: path.default('out/{pipeline}/{table}.parquet'),
    tables: onlyTables,
    compression: z.enum(['zstd', 'snappy', 'gzip', 'none']).default('zstd').describe('The compression of pages'),
    rowGroupRows: count
      .default(100_000)
      .describe(
        'The most rows of a row group, by default 100,000; one also ends at 8 MiB of columnar data, less if a run writes more than six Parquet files',
      ),
    ...keepingFiles,
    ...sharing,
  }),
  z.strictObject({
    format: z.literal('csv').describe('One CSV file a table'),
    path: path.default('out/{pipeline}/{table}.csv'),
    tables: onlyTables,
    delimiter: z.string().length(1).default(dialect.delimiter).describe('The character between cells'),
    quote: z.string().length(1).default(dialect.quote).describe('The quote character'),
    quoteAll: z.boolean().default(dialect.quoteAll).describe('Quote every cell that is not null'),
    bom: z
      .boolean()
      .default(dialect.bom)
      .describe('Begin with a byte order mark, which spreadsheets need to recognize UTF-8'),
    lineBreak: z.enum(['lf', 'crlf']).default(dialect.lineBreak).describe('The end of a line'),
    escapeFormulas: z
      .boolean()
      .default(dialect.escapeFormulas)
      .describe('Put an apostrophe before text that a spreadsheet would run as a formula'),
    header: z.boolean().default(dialect.header).describe('Begin with the names of the columns'),
    labels,
    listSeparator: z
      .string()
      .length(1)
      .default(dialect.listSeparator)
      .describe('The character between the values of a list'),
    decimalSeparator: z
      .enum(['.', ','])
      .default(dialect.decimalSeparator)
      .describe('The sign before the fraction of a number; a comma needs another delimiter, such as ;'),
    ...keepingFiles,
    ...sharing,
  }),
  z.strictObject({
    format: z.literal('ndjson').describe('One file of JSON objects a table, one on each line'),
    path: path.default('out/{pipeline}/{table}.ndjson'),
    tables: onlyTables,
    ...keepingFiles,
    ...sharing,
  }),
  z.strictObject({
    format: z.literal('xlsx').describe('One workbook, a sheet a table'),
    path: path.default('out/{pipeline}/{pipeline}.xlsx'),
    tables: onlyTables,
    labels,
    // Refused by the plan, which says why.
    ...keepingFiles,
    ...sharing,
  }),
  z.strictObject({
    format: z.literal('postgres').describe('Tables in PostgreSQL'),
    url: z.string().min(1).describe('postgres://user:password@host:5432/database; best ${DATABASE_URL}'),
    schema: databaseSchema.default('public').describe('The schema of the tables; it is created if it is missing'),
    lockTimeout,
    tables: onlyTables,
    ...keeping,
  }),
  z.strictObject({
    format: z.literal('mariadb').describe('Tables in MariaDB'),
    url: z
      .string()
      .min(1)
      .describe(
        'mariadb://user:password@host:3306/database; the database is created if it is missing; best ${DATABASE_URL}',
      ),
    lockTimeout,
    tables: onlyTables,
    ...keeping,
  }),
  z.strictObject({
    format: z.literal('duckdb').describe('Tables in a DuckDB file'),
    path: z.string().min(1).default('out/{pipeline}/{pipeline}.duckdb').describe('May hold {pipeline}'),
    schema: databaseSchema.default('main').describe('The schema of the tables; it is created if it is missing'),
    tables: onlyTables,
    ...keeping,
  }),
  z.strictObject({
    format: z.literal('delta').describe('One Delta table a table, for lakes'),
    ...lake,
    changeFeed: z
      .boolean()
      .default(false)
      .describe(
        'Write the rows that each commit changes or removes as a change feed, too (`delta.enableChangeDataFeed`), so that readers can ask for changes',
      ),
  }),
  z.strictObject({
    format: z.literal('iceberg').describe('One Iceberg table a table, for lakes, read by its path or in a catalog'),
    ...lake,
    path: lakePath.optional(),
    catalog: catalog.optional().describe('The REST catalog of the tables, in place of a path'),
    namespace: z
      .string()
      .regex(/^[^.\s/]+(?:\.[^.\s/]+)*$/, 'a name, or several with dots between them')
      .optional()
      .describe('The namespace of the tables in the catalog; it is created if it is missing'),
  }),
  z.strictObject({
    format: z.literal('own').describe('An output of your own, which a function opens for each table'),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][\w-]*$/, 'letters, digits, - and _')
      .describe('Names the output in messages and in the manifest'),
    open: ownOutput.describe(
      'A function that gets a table and gives { write, commit, abort }, which are called with its rows and at the end of a run; from YAML { use: ./sqlite.ts#open }',
    ),
    tables: onlyTables,
  }),
])

export type OutputConfig = z.output<typeof output>
/** Outputs that keep a state of their own. */
export type LakeOutputConfig = Extract<OutputConfig, { format: 'delta' | 'iceberg' }>
export type ServerOutputConfig = Extract<OutputConfig, { format: ServerFormat }>
export type DatabaseOutputConfig = ServerOutputConfig | Extract<OutputConfig, { format: 'duckdb' }> | LakeOutputConfig
export type OwnOutputConfig = Extract<OutputConfig, { format: 'own' }>
export type StoredOutputConfig = Exclude<OutputConfig, OwnOutputConfig>
export type FileOutputConfig = Exclude<StoredOutputConfig, DatabaseOutputConfig>

export function isDatabase(config: OutputConfig): config is DatabaseOutputConfig {
  return keepsOwnState(config.format)
}

export function isLake(config: OutputConfig): config is LakeOutputConfig {
  return isLakeFormat(config.format)
}

export function keepsOwnState(format: OutputConfig['format']): format is DatabaseOutputConfig['format'] {
  return isServer(format) || format === 'duckdb' || isLakeFormat(format)
}

function isLakeFormat(format: OutputConfig['format']): format is LakeOutputConfig['format'] {
  return format === 'delta' || format === 'iceberg'
}
