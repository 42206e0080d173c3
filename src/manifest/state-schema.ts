import { z } from 'zod'
import { stateFormat } from './upgrade-manifest.ts'

/*
 * The state of a manifest, which is what the next run has to know of those before it, and the files that a manifest lists. All of
 * it is one file, so that what is there and how far it reaches can't disagree.
 */

const dateTime = z.iso.datetime()

/** A file as it was published. */
export const stateFile = z.object({
  path: z.string(),
  bytes: z.number(),
  sha256: z.string(),
})

const count = z.int().nonnegative()

const hash = z.string().regex(/^[0-9a-f]{64}$/)

const columnReport = z.object({
  name: z.string(),
  type: z.string(),
  /** The path in the record; empty for a column that the mode of the output adds. */
  from: z.string(),
  unit: z
    .enum(['delivered', 'cents', 'units'])
    .optional()
    .describe('for money: as delivered, or an amount made from a number of cents or units'),
  timezone: z.string().optional().describe('for a date that is made from a timestamp: the time zone of the day'),
})

export const csvDialect = z.object({
  delimiter: z.string(),
  /** The quote character; inside a quoted cell it is written twice. */
  quote: z.string(),
  /** Quotes every cell but null. */
  quoteAll: z.boolean(),
  /** A byte order mark before the header, for spreadsheet programs. */
  bom: z.boolean(),
  lineBreak: z.enum(['lf', 'crlf']),
  /** Puts `'` before text that a spreadsheet program would run as a formula. */
  escapeFormulas: z.boolean(),
  header: z.boolean(),
  /** Separates the elements of a list; escaped with a backslash inside an element, as the backslash is. */
  listSeparator: z.string(),
  /** Between the whole part and the fraction of floats and decimals, in lists too. Never that of times. */
  decimalSeparator: z.enum(['.', ',']),
})

/** One published file. */
export const fileReport = z.object({
  table: z.string(),
  format: z.enum(['csv', 'ndjson', 'parquet', 'xlsx']),
  path: z.string(),
  rows: count,
  bytes: count,
  sha256: hash,
  columns: z.array(columnReport),
  dialect: csvDialect.partial().optional().describe('for csv: its options that are not the default ones'),
  /** The mode of the output, in a stateful plan. */
  mode: z.enum(['snapshot', 'append', 'merge', 'history']).optional(),
  base: z.string().optional().describe('the path without folders of partitions and numbers of parts'),
  sheets: z
    .array(z.object({ name: z.string(), rows: count.describe('below the header') }))
    .optional()
    .describe('for xlsx: the sheets of this table; other tables of the same workbook are listed with the same path'),
  cutTexts: z
    .record(z.string(), count)
    .optional()
    .describe('for xlsx: how many texts were cut to the 32767 characters of a cell, by column'),
})

/** A file that an earlier config left; one of a kept output is known by its mode. */
export const leftFile = stateFile.extend(fileReport.pick({ table: true, mode: true, base: true }).partial().shape)

const changeCounts = z.object({
  new: z.number(),
  changed: z.number(),
  touched: z.number(),
  unchanged: z.number(),
  removed: z.number(),
})

const backfill = z.object({
  /** As they were written. */
  from: z.string(),
  to: z.string(),
  window: z.string(),
  /** The span, and up to where it is published. */
  since: dateTime,
  until: dateTime,
  done: dateTime,
})

const stateTable = z.object({
  table: z.string(),
  mode: z.enum(['merge', 'history']),
  columns: z.array(columnReport.omit({ from: true })),
  files: z.array(stateFile),
  /** It may lack what `records` takes for published: the next run that reads everything writes every row of it anew. */
  isBehind: z.literal(true).optional(),
})

export const publishedState = z.object({
  /** The version of this shape. */
  format: z.literal(stateFormat),
  kind: z.enum(['full', 'delta']),
  /** The run's start, by the service's clock where that is known. */
  startedAt: dateTime,
  /** The start of the last run that read everything; null where there was none. */
  lastFullAt: dateTime.nullable(),
  /** Host and path of the service that was asked; null where files were read. */
  service: z.string().nullish(),
  /** The time up to which every change is published; null where that is not known, so that the next run reads everything. */
  syncedUntil: dateTime.nullable(),
  /** The filter of this run; null where it read everything. */
  asked: z.object({ field: z.string(), since: dateTime, until: dateTime.nullable() }).nullable(),
  /** Counts of its changes; null where databases alone keep the state, which each compares with its own. */
  changes: changeCounts.nullable(),
  /** One row a record, as Parquet; null where databases alone keep the state. */
  records: stateFile.nullable(),
  /** Tables as the next run begins with them, as Parquet: outputs, or files of the state. */
  tables: z.array(stateTable),
  /** Tables that the config has no more, as the last run with them left them: they are taken up again if it has them again. */
  leftTables: z.array(stateTable).optional(),
  /** Files of earlier runs that no output has any more. They are removed after the publication. */
  obsoleteFiles: z.array(z.string()),
  backfill: backfill.optional(),
  /** Records whose last version was rejected: the outputs hold an older one, or none. Missing in older states. */
  stale: z
    .object({
      records: z.number(),
      /** Their ids, which the next delta asks for; none where the next run reads everything instead. */
      ids: z.array(z.string()),
    })
    .optional(),
  /** Why the next run reads everything, whatever else the state says; missing or null where it need not. */
  needsFull: z.string().nullish(),
})

/** The file of the entries of a list that brought no record. */
export const missingIds = z.object({
  path: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  notFound: z.number().describe('identifiers that no record has'),
  bad: z.number().describe('entries that are no identifiers'),
  found: z.number().optional().describe('identifiers of records that are published'),
  filtered: z
    .number()
    .optional()
    .describe('identifiers of records that a condition left out, and of no other; absent for none'),
  duplicate: z.number().optional().describe('the same of records left out for their repeated id'),
  rejected: z.number().optional().describe('the same of rejected lines'),
})

/** The file of the rows that break rules. */
export const brokenRows = z.object({ path: z.string(), rows: count, bytes: count, sha256: hash })

/** The file of the profile, or of the data package. */
export const profileFile = z.object({ path: z.string(), bytes: count, sha256: hash })
const names = z.array(z.string())

/** The run whose manifest another one replaces, as far as it is compared with that. */
export const previousRun = z.object({
  runId: z.string(),
  finishedAt: dateTime,
  rejected: count,
  tables: z.array(z.object({ name: z.string(), rows: count })).describe('published rows, where they are known'),
  drift: z
    .object({
      unknownFields: names,
      unknownValues: z.record(z.string(), names),
      otherLocales: names,
      oddCodes: names,
      nullElements: names,
      invalidValues: names,
      duplicateKeys: names,
    })
    .describe('what was found beyond the contract, without counts'),
})

/** What of the config selected the records and rows of a run. Missing in manifests of older versions. */
export const selection = z
  .record(z.string(), z.string())
  .optional()
  .describe('what of the config selects records and rows: a hash of each key, by its path')

/** Removals beyond `maxRemoved` that were published, as the config selects something else than at the run before. */
export const editLoss = z.object({
  of: z.string().describe('what was removed: records, rows of a table, or records of a database'),
  removed: count,
  before: count,
  changed: z.array(z.string()).describe('the keys of the config that are not as they were'),
})
