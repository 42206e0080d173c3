import { z } from 'zod'

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

export const publishedState = z.object({
  /** The version of this shape. */
  format: z.literal(2),
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
  tables: z.array(
    z.object({
      table: z.string(),
      mode: z.enum(['merge', 'history']),
      columns: z.array(columnReport.omit({ from: true })),
      files: z.array(stateFile),
    }),
  ),
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
export type StateTable = PublishedState['tables'][number]
export type BackfillProgress = z.output<typeof backfill>

/** The file of the entries of a list that brought nothing. */
export const missingIds = z.object({
  path: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  notFound: z.number().describe('identifiers that no record has'),
  bad: z.number().describe('entries that are no identifiers'),
})

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

/** The part of a manifest that later runs read: the pipeline, the files, and the state. */
export const publishedManifest = z.object({
  pipeline: z.string(),
  runId: z.string().optional(),
  finishedAt: dateTime.optional(),
  configHash: z.string(),
  files: z.array(z.looseObject(fileReport.shape)),
  /** Null, or missing: an earlier run kept none, or it was reset. */
  state: publishedState.nullish(),
  missingIds: missingIds.optional(),
  profile: profileFile.optional(),
  dataPackage: profileFile.optional(),
  /** Files of an earlier config that stay. */
  leftFiles: z.array(stateFile).optional(),
  /** Those that are removed after the publication. */
  prunedFiles: z.array(stateFile).optional(),
  report: z.object({ path: z.string() }).optional(),
})

export type MissingReport = z.output<typeof missingIds>
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
