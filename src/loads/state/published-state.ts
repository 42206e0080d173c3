import { z } from 'zod'
import { manifestFormat, stateFormat } from './upgrade-state.ts'

/*
 * The shape of a manifest, as far as later runs read it: what a run published, and its `state`, which is what the next run
 * has to know of those before it. All of it is one file, so that what is there and how far it reaches can't disagree. The
 * types of what is written follow from it.
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

const csvDialect = z.object({
  delimiter: z.string(),
  quote: z.string(),
  quoteAll: z.boolean(),
  bom: z.boolean(),
  lineBreak: z.enum(['lf', 'crlf']),
  escapeFormulas: z.boolean(),
  header: z.boolean(),
  listSeparator: z.string(),
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

export type ColumnReport = z.output<typeof columnReport>
export type FileReport = z.output<typeof fileReport>

/** The reports of different files: each table of a workbook has one, with the path, size and hash of the whole. */
export function listDistinctFiles<File extends Pick<FileReport, 'path'>>(files: readonly File[]): File[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

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

export type PublishedState = z.output<typeof publishedState>
export type StateFileReport = z.output<typeof stateFile>
export type LeftFile = z.output<typeof leftFile>
export type StateTable = z.output<typeof stateTable>
export type BackfillProgress = z.output<typeof backfill>

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

export type PreviousRun = z.output<typeof previousRun>

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

export type EditLoss = z.output<typeof editLoss>

/** The part of a manifest that later runs read: the pipeline, the files, and the state. */
export const publishedManifest = z.object({
  format: z.number().max(manifestFormat).optional(),
  pipeline: z.string(),
  runId: z.string().optional(),
  finishedAt: dateTime.optional(),
  configHash: z.string(),
  selection,
  files: z.array(z.looseObject(fileReport.shape)),
  /** Null, or missing: an earlier run kept none, or it was reset. */
  state: publishedState.nullish(),
  missingIds: missingIds.optional(),
  brokenRows: brokenRows.optional(),
  profile: profileFile.optional(),
  dataPackage: profileFile.optional(),
  /** Files of an earlier config that stay. */
  leftFiles: z.array(leftFile).optional(),
  /** Those that are removed after the publication. */
  prunedFiles: z.array(stateFile).optional(),
  report: z.object({ path: z.string() }).optional(),
})

export type MissingReport = z.output<typeof missingIds>
export type BrokenReport = z.output<typeof brokenRows>
export type ProfileReport = z.output<typeof profileFile>
export type PublishedManifest = z.output<typeof publishedManifest> & {
  /** The summary of its run for the manifest of the next one. */
  readonly previous?: PreviousRun | null
}

/** The files that the next run begins with. */
export function listBaselineFiles({ records, tables }: Pick<PublishedState, 'records' | 'tables'>): StateFileReport[] {
  return [...(records === null ? [] : [records]), ...tables.flatMap(({ files }) => files)]
}

/** The files beside the manifest of a run; null where it has none. */
export interface EarlierCompanions {
  readonly missingPath: string | null
  readonly profilePath: string | null
  readonly reportPath: string | null
  readonly dataPackagePath: string | null
}

/** Those of the last run, from its manifest. */
export function toEarlierCompanions(
  manifest: Partial<Readonly<Record<'missingIds' | 'profile' | 'report' | 'dataPackage', CompanionPath>>> | null,
): EarlierCompanions {
  const { missingIds: missing, profile, report, dataPackage } = manifest ?? {}
  return {
    missingPath: missing?.path ?? null,
    profilePath: profile?.path ?? null,
    reportPath: report?.path ?? null,
    dataPackagePath: dataPackage?.path ?? null,
  }
}

type CompanionPath = { readonly path: string } | undefined
