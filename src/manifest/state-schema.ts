import { z } from 'zod'
import { stateFormat } from './upgrade-manifest.ts'

/*
 * The state of a manifest, which is what the next run has to know of those before it, and the files that a manifest lists. All of
 * it is one file, so that what is there and how far it reaches can't disagree.
 */

const dateTime = z.iso.datetime()

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
  quote: z.string(),
  quoteAll: z.boolean(),
  bom: z.boolean(),
  lineBreak: z.enum(['lf', 'crlf']),
  /** Puts `'` before text that a spreadsheet program would run as a formula. */
  escapeFormulas: z.boolean(),
  header: z.boolean(),
  /** Separates the elements of a list. In an element it is escaped with a backslash, and so is the backslash. */
  listSeparator: z.string(),
  /** Between the whole part and the fraction of floats and decimals, in lists too, but never in times. */
  decimalSeparator: z.enum(['.', ',']),
})

export const fileReport = z.object({
  table: z.string(),
  format: z.enum(['csv', 'ndjson', 'parquet', 'xlsx']),
  path: z.string(),
  rows: count,
  bytes: count,
  sha256: hash,
  columns: z.array(columnReport),
  dialect: csvDialect.partial().optional().describe('for csv: its options that are not the default ones'),
  /** For the outputs of a stateful pipeline. */
  mode: z.enum(['snapshot', 'append', 'changes', 'merge', 'history']).optional(),
  run: z.string().optional().describe('with mode changes: the run whose changes it holds'),
  previousRun: z
    .string()
    .nullable()
    .optional()
    .describe('with mode changes: the run whose changes come right before; null if it holds every record there is'),
  shape: z.string().optional().describe('with mode changes: a hash of what the config says of the rows'),
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

/** A file that an earlier config left. It has a mode if it belongs to a kept output. */
export const leftFile = stateFile.extend(fileReport.pick({ table: true, mode: true, base: true }).partial().shape)

const changeCounts = z.object({
  new: z.number(),
  changed: z.number(),
  touched: z.number(),
  unchanged: z.number(),
  removed: z.number(),
})

const backfill = z.object({
  from: z.string(),
  to: z.string(),
  window: z.string(),
  /** The whole span, and the end of the part that is published. */
  since: dateTime,
  until: dateTime,
  done: dateTime,
})

const stateTable = z.object({
  table: z.string(),
  mode: z.enum(['merge', 'history']),
  columns: z.array(columnReport.omit({ from: true })),
  files: z.array(stateFile),
  /** Set if rows of records that count as published may be missing: the next full run writes every row again. */
  isBehind: z.literal(true).optional(),
  /** Of a history: the start of its first load. Missing if an earlier version began it. */
  since: dateTime.optional(),
})

export const publishedState = z.object({
  format: z.literal(stateFormat),
  kind: z.enum(['full', 'delta']),
  /** The run's start, by the service's clock if it is known. */
  startedAt: dateTime,
  lastFullAt: dateTime.nullable(),
  /** Host and path of the service that was asked; null if files were read. */
  service: z.string().nullish(),
  /** The time up to which every change is published; null if it isn't known, so that the next run reads everything. */
  syncedUntil: dateTime.nullable(),
  asked: z.object({ field: z.string(), since: dateTime, until: dateTime.nullable() }).nullable(),
  /** Null if only databases keep the state: each has its own counts. */
  changes: changeCounts.nullable(),
  /** The file of published records, one row a record, as Parquet; null if only databases keep the state. */
  records: stateFile.nullable(),
  /** Tables that the next run starts from, as Parquet: outputs, or files of the state. */
  tables: z.array(stateTable),
  /** Tables that are no longer in the config. A later config that has them again continues them. */
  leftTables: z.array(stateTable).optional(),
  obsoleteFiles: z.array(z.string()),
  backfill: backfill.optional(),
  /** Records whose last version was rejected: outputs hold an older version, or none. Missing in older states. */
  stale: z
    .object({
      records: z.number(),
      /** Ids that the next delta asks for; none if the next run reads everything instead. */
      ids: z.array(z.string()),
    })
    .optional(),
  needsFull: z.string().nullish(),
})

/** The file of list entries that brought no record. */
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
  lines: z.number().optional().describe('lines of a list that are matched one by one: all counts are of lines then'),
  wrongCheckDigit: z
    .number()
    .optional()
    .describe('lines with a code whose check digit is wrong, and without a product'),
  inactive: z.number().optional().describe('lines of inactive products that a condition on the status left out'),
  replaced: z.number().optional().describe('lines of replaced products that a condition left out'),
  ambiguous: z.number().optional().describe('lines whose codes are on several published products'),
  empty: z.number().optional().describe('lines without any code'),
})

/** The numbers of the rule `expectVolume`. */
export const volume = z
  .object({ found: count, lowest: count, highest: count })
  .describe('for the rule volume: the records found, and the numbers that it allows, both included')

export const brokenRows = z.object({ path: z.string(), rows: count, bytes: count, sha256: hash })

export const profileFile = z.object({ path: z.string(), bytes: count, sha256: hash })
const names = z.array(z.string())

/** The run that another one replaces, reduced to what is compared. */
export const previousRun = z.object({
  runId: z.string(),
  finishedAt: dateTime,
  rejected: count,
  tables: z.array(z.object({ name: z.string(), rows: count })).describe('published rows, if they are known'),
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

export const selection = z
  .record(z.string(), z.string())
  .optional()
  .describe('what of the config selects records and rows: a hash of each key, by its path')

/** Removals beyond `maxRemoved` that were published because the config selects something else than before. */
export const editLoss = z.object({
  of: z.string().describe('what was removed: records, rows of a table, or records of a database'),
  removed: count,
  before: count,
  changed: z.array(z.string()).describe('the keys of the config that are not as they were'),
})
