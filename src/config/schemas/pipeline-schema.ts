import { z } from 'zod'
import { contractNames } from '../../contracts/contracts.ts'
import { interfaceVersions } from '../../contracts/given-values.ts'
import { extraTypes } from '../../contracts/extended/extra-fields.ts'
import { encryptions, storageClasses } from '../../storage/s3/object-settings.ts'
import { lineage } from './lineage-schema.ts'
import { media } from './media-schema.ts'
import { questions } from './questions-schema.ts'
import { count, duration, span, wholeNumber } from './number-shapes.ts'
import { output } from './output-schema.ts'
import { expectVolume, label, limit, locale, userAgent, where } from './selection-schema.ts'
import { rule } from './rule-schema.ts'
import { ownSchema } from './own-function.ts'
import { table } from './table-schema.ts'

/*
 * The shape of a pipeline config: keys, types, defaults. What fits the shape but makes no sense (unknown fields,
 * collisions, endpoints) is found by `check-pipeline.ts`. The JSON Schema for editors is made from this.
 */

const filter = z.record(z.string(), z.unknown())

const source = z.strictObject({
  files: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'A path or glob, or a list of them, of NDJSON or JSON files, also in a bucket (s3://…); - is standard input. Gzip is recognized by its content',
    ),
  format: z
    .enum(['auto', 'ndjson', 'json'])
    .default('auto')
    .describe('ndjson, or json for one document, {meta, results: […]} or a list; auto looks at the beginning'),
  parts: z
    .boolean()
    .default(false)
    .describe('true: the files together are one stream; false: each file is a stream of its own'),
  endpoint: z.string().min(1).optional().describe('An endpoint of the service, v4/products/stream for instance'),
  baseUrl: z
    .string()
    .min(1)
    .optional()
    .describe('The address of the service, before /v3 or /v4; best ${CATALOGUE_URL}'),
  keyId: z.string().min(1).optional().describe('The id of the key; best ${CATALOGUE_KEY_ID}'),
  keySecret: z
    .string()
    .min(1)
    .optional()
    .describe('The secret of the key, never printed; best ${CATALOGUE_KEY_SECRET}'),
  filter: filter
    .optional()
    .describe(
      'The records to request, by the filter keys of the endpoint, by default all; several keys are combined with and; and, or, not combine groups. Dates are unix seconds, 2026-01-01 or -24h',
    ),
  sorting: filter.optional().describe('The order, one key such as { id: ASC }; by default that of the endpoint'),
  page: z
    .strictObject({
      no: wholeNumber(0)
        .optional()
        .describe('The first page to read, from 0; with more than 0 a part is read on purpose'),
      size: wholeNumber(0).optional().describe('The records of a page: 10, 50, 100 or 250'),
    })
    .optional()
    .describe('The pages of a paged endpoint; by default all, in the largest size'),
  partition: z
    .strictObject({
      by: z.literal('createdAt').describe('The time that divides the records'),
      windows: wholeNumber(1, 1000).describe('The number of windows, such as 12'),
      concurrency: wholeNumber(1, 16).optional().describe('The number of windows that are read at once; by default 4'),
    })
    .optional()
    .describe('Read a stream in windows of time, several at once; only windows that fail are requested again'),
  userAgent: userAgent
    .optional()
    .describe('The User-Agent header of requests; by default the name and version of this tool'),
  requestsPerMinute: wholeNumber(1, 100_000)
    .optional()
    .describe(
      'How many requests with this key, from all sources of the process, may reach the service in any minute; a request counts until a minute after its answer began. By default 100; lower it where other programs use the key too',
    ),
  timeouts: z
    .strictObject({
      connect: duration.optional().describe('For a connection; by default 10s'),
      firstByte: duration.optional().describe('For the head of an answer; by default 2m'),
      idle: duration.optional().describe('Between two pieces of an answer; by default 1m'),
    })
    .optional()
    .describe(
      'How long to wait for a connection, for the first byte, between two pieces, by default 10s, 2m and 1m; there is no limit on the whole',
    ),
  retries: wholeNumber(0, 100).optional().describe('How often a failed request is repeated; by default 5'),
  contract: z
    .string()
    .optional()
    .describe(`One of ${contractNames.join(', ')}; an endpoint knows its own`),
  interface: z
    .enum(interfaceVersions)
    .optional()
    .describe(
      'With contract: product, the version of the interface that the records in files came from; by default found in them. Standard input needs it',
    ),
  maxLineBytes: count.default(16 * 1024 * 1024).describe('A longer line is rejected; by default 16 MiB'),
})

/** By its name, or by its number from 1. */
const listColumn = z.union([z.string().min(1), wholeNumber(1, 10_000)])

const keptColumn = z.strictObject({
  column: listColumn.describe('The column of the list: its name, or its number from 1'),
  as: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The type of its values, such as integer, decimal(12,2) or date; a decimal comma is read. By default text',
    ),
  label,
})

const sourceIds = () =>
  z
    .strictObject({
      file: z
        .string()
        .min(1)
        .describe(
          'A CSV file, an Excel workbook (.xlsx), or a text file with an identifier on each line, in which blank lines and lines that begin with # are skipped',
        ),
      sheet: z.string().min(1).optional().describe('The sheet of a workbook; by default its first'),
      column: listColumn
        .optional()
        .describe(
          'The column of a CSV file or a sheet: its name in the header, or, without a header, its number from 1; by default found in the header',
        ),
      field: z
        .string()
        .min(1)
        .optional()
        .describe('The filter key of the identifiers; by default the name of the column'),
      columns: z
        .record(z.string(), listColumn)
        .refine((columns) => Object.keys(columns).length > 0, 'at least one column')
        .optional()
        .describe(
          'Instead of column: the columns of several codes by their filter keys, tried in this order for each line of the list, such as { cnk: CNK, ean: EAN }',
        ),
      keep: z
        .array(z.union([listColumn, keptColumn]))
        .optional()
        .describe(
          'Columns of the list that the rows get, in front and with list_ before their names: as text, or { column, as } with a type such as decimal(12,2). With it the rows are those of the list',
        ),
      order: z
        .enum(['source', 'list'])
        .optional()
        .describe(
          'list: tables without each have one row a line of the list, in its order, also for lines without a product; source: one row a product, as they come. By default list with keep, else source',
        ),
      length: wholeNumber(1, 100)
        .optional()
        .describe(
          'The number of digits, by default that of the code: removed zeros on the left are restored, and a longer identifier is a mistake',
        ),
      delimiter: z
        .string()
        .regex(/^[^"\r\n]$/u, 'one character, no quote and no line break')
        .optional()
        .describe('The delimiter of a CSV file; by default found in its header, or its first rows'),
      badIdentifiers: z
        .enum(['error', 'report'])
        .optional()
        .describe(
          'error: an entry that is no identifier ends the run before anything is read; report: it is left out and listed in _missing.csv. By default error, with columns, keep or order report',
        ),
    })
    .optional()
    .describe('A list of identifiers to request, in addition to source.filter; for files, the records to keep')

const rejectLimit = limit
  .default('1%')
  .describe(
    'A count, or a share of the lines that are not blank such as 1% (in a delta at least one line); with more rejects nothing is published',
  )

const incremental = () =>
  z
    .strictObject({
      cursor: z.string().default('meta.updatedAt').describe("The field of a record's last change"),
      overlap: span.prefault('1h').describe('How far before the start of the last run a delta reaches; by default 1h'),
      fullEvery: span.prefault('7d').describe('How often a run reads everything; by default 7d'),
    })
    .optional()
    .describe('Runs read what changed since the last one, and outputs keep what they hold')

const s3 = () =>
  z
    .strictObject({
      encryption: z
        .enum(encryptions)
        .optional()
        .describe('Server-side encryption: AES256 (SSE-S3) or aws:kms (SSE-KMS); by default that of the bucket'),
      kmsKey: z.string().min(1).optional().describe('The id or ARN of the key, for aws:kms'),
      storageClass: z
        .enum(storageClasses)
        .optional()
        .describe('The storage class of tables and state; by default that of the bucket'),
    })
    .refine(
      ({ encryption, kmsKey }) => kmsKey === undefined || encryption !== 'AES256',
      'kmsKey with encryption: aws:kms',
    )
    .optional()
    .describe('How a bucket keeps the objects of outputs, if they are in one')

/** Sections that most configs lack, and that then have no value. Their schemas are made when they are read. */
export const rareSections = ['sourceIds', 'incremental', 'expectVolume', 's3', 'media', 'lineage', 'questions']

export const pipelineShape = {
  $schema: z.string().optional().describe('The JSON Schema of this file, for editors'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w-]*$/, 'letters, digits, - and _')
    .describe('Names the pipeline, with letters, digits, - and _; {pipeline} in paths'),
  source: source.describe('The records: files, or an endpoint of the service'),
  get sourceIds() {
    return sourceIds()
  },
  contract: z
    .strictObject({
      unknownFields: z
        .enum(['report', 'ignore', 'reject'])
        .default('report')
        .describe(
          'Fields that the contract does not list: counted in the report, ignored, or a reason to reject the record',
        ),
      unknownValues: z
        .enum(['report', 'reject'])
        .default('report')
        .describe('Values that the contract does not list: counted in the report, or a reason to reject the record'),
      invalidValues: z
        .literal(['reject', 'null', null])
        .default('reject')
        .transform((value) => value ?? 'null')
        .describe(
          'Values of a wrong type in fields that are no key: a reason to reject the record; or null, and counted in the report',
        ),
      extra: z
        .record(z.string(), z.enum(extraTypes))
        .optional()
        .describe('Fields that the contract does not list, by path, with their types: they become columns'),
    })
    .prefault({})
    .describe('The treatment of what the contract does not know'),
  completeness: z
    .enum(['require', 'report'])
    .default('require')
    .describe('require: an incomplete stream publishes nothing; report: it is published and reported'),
  duplicates: z
    .enum(['keep', 'last', 'reject'])
    .optional()
    .describe(
      'The lines of a repeated id that stay: keep all, the last (if outputs keep what they hold, the one that changed last), or reject all but the first. By default keep, if outputs keep what they hold last',
    ),
  get incremental() {
    return incremental()
  },
  maxRemoved: limit
    .optional()
    .describe(
      'A count, or a share of the published records; a run that would remove more publishes nothing. By default 5%',
    ),
  locales: z
    .array(locale)
    .min(1)
    .default(['nl', 'fr', 'en'])
    .describe('The locales that become columns, by default nl, fr and en; values in others are counted'),
  timezone: z
    .string()
    .default('UTC')
    .describe('The time zone of as: date and of days in conditions: an IANA name such as Europe/Brussels'),
  where: where
    .default({})
    .describe('Conditions that a record must meet, by field path; others are counted as filtered'),
  check: z
    .strictObject({
      schema: ownSchema.describe(
        'A schema of zod, valibot, arktype or any other library that keeps to Standard Schema; from YAML { use: ./steps.ts#sellable }',
      ),
      version: z
        .string()
        .min(1)
        .describe('The version of the schema: another one makes another config, whose runs start anew'),
    })
    .optional()
    .describe('A schema of your own that valid records must meet too; a record that it refuses is rejected'),
  tables: z
    .record(z.string(), table)
    .refine((tables) => Object.keys(tables).length > 0, 'at least one table')
    .optional()
    .describe('The tables by name; by default one for the records and one for each list of objects in them'),
  outputs: z
    .array(output)
    .min(1)
    .prefault([{ format: 'parquet' }, { format: 'csv' }])
    .describe('The files and databases that hold the tables; by default Parquet and CSV'),
  expect: z
    .array(rule)
    .default([])
    .describe('Rules on the rows that a run writes, each of a column or a table, checked while writing'),
  get expectVolume() {
    return expectVolume()
  },
  rejects: z
    .strictObject({
      path: z.string().min(1).optional().describe('By default _rejects.ndjson beside the first output'),
      limit: rejectLimit,
      corrections: z
        .string()
        .min(1)
        .optional()
        .describe(
          'A table (.csv or .xlsx) with the columns id, path, value and corrected: if a line would be rejected for that value at the path, the corrected one takes its place, in every run until the source is right',
        ),
    })
    .prefault({})
    .describe('The lines that did not meet the contract'),
  manifest: z
    .strictObject({ path: z.string().min(1).optional().describe('By default _manifest.json beside the first output') })
    .prefault({})
    .describe('The file that makes a set of outputs published'),
  profile: z
    .union([
      z.boolean(),
      z.strictObject({ path: z.string().min(1).optional().describe('By default _profile.json beside the manifest') }),
    ])
    .default(true)
    .describe('The file of filled shares, bounds and frequent values of every column; false: none is written'),
  report: z
    .union([
      z.boolean(),
      z.strictObject({
        path: z.string().min(1).optional().describe('By default _report.html beside the manifest'),
        examples: z
          .boolean()
          .optional()
          .describe(
            'Show values of records: frequent values of every column, rejected values; by default only code lists',
          ),
      }),
    ])
    .default(true)
    .describe('The page that shows a run: completeness, rows, columns, rejects, files; false: none is written'),
  runs: z
    .boolean()
    .default(true)
    .describe('Keep _runs.ndjson beside the manifest, a line for each of the last 400 runs; false: none is kept'),
  dataPackage: z
    .boolean()
    .default(false)
    .describe(
      'Write datapackage.json beside the manifest: the files with their sizes, hashes and keys, and the meaning of their columns',
    ),
  get s3() {
    return s3()
  },
  get media() {
    return media()
  },
  get lineage() {
    return lineage()
  },
  get questions() {
    return questions()
  },
} as const

export const pipelineSchema = z.strictObject(pipelineShape)

/** The type that `pipeline-config.ts` writes out, with a comment on each key. */
export type PipelineInput = z.input<typeof pipelineSchema>

export type { Conditions, PipelineConfig } from '../pipeline-config.ts'

/** A pipeline config with every default filled in. */
export type CompletePipelineConfig = z.output<typeof pipelineSchema>

export type TableConfig = z.output<typeof table>
export type { ConditionConfig } from './selection-schema.ts'
export type { ColumnConfig } from './table-schema.ts'
