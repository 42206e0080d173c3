import type { Manifest, RawText, RejectedRecord } from './manifest-types.ts'

export type { CsvDialect, Landing, LandingManifest, Manifest, PastRun, RawText } from './manifest-types.ts'

/** A manifest as other runs read it: an earlier version may have written it, and a reset leaves no state. */
export type PublishedManifest = Pick<Manifest, 'pipeline' | 'configHash' | 'files'> &
  Partial<Omit<Manifest, 'pipeline' | 'configHash' | 'files' | 'state'>> & {
    readonly state?: PublishedState | null | undefined
  }

export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

export type RejectsFileLine = RejectedRecord & RawText
export type Issue = RejectsFileLine['issues'][number]

export type FileReport = Manifest['files'][number]
export type ColumnReport = FileReport['columns'][number]
export type PublishedState = NonNullable<Manifest['state']>
export type StateFileReport = NonNullable<PublishedState['records']>
export type StateTable = PublishedState['tables'][number]
export type BackfillProgress = NonNullable<PublishedState['backfill']>
export type LeftFile = NonNullable<Manifest['leftFiles']>[number]
export type PreviousRun = NonNullable<Manifest['previous']>
export type EditLoss = NonNullable<Manifest['editLosses']>[number]
export type MissingReport = NonNullable<Manifest['missingIds']>
export type BrokenReport = NonNullable<Manifest['brokenRows']>
export type ProfileReport = NonNullable<Manifest['profile']>
export type RuleReport = NonNullable<Manifest['rules']>[number]
export type SourceIdsSummary = NonNullable<Manifest['sourceIds']>
export type SourceReport = Manifest['sources'][number]
export type Ledger = Manifest['ledger']
/** A condition, and how many rows fail it and none before it. */
export type FilteredBy = NonNullable<Manifest['filteredBy']>[number]
export type Drift = Manifest['drift']
/** The proof that a stream is whole, or why there is none. */
export type Completeness = Manifest['completeness']
/** A sign that the config means something else than it says. */
export type Doubt = NonNullable<Manifest['doubts']>[number]
export type RejectReason = NonNullable<Manifest['rejects']['reasons']>[number]
export type WrongValues = NonNullable<Manifest['rejects']['wrongValues']>
export type StageReport = Manifest['stages'][number]
export type RemovedRecord = NonNullable<Manifest['removedRecords']>[number]
export type DatabaseReport = NonNullable<Manifest['databases']>[number]
export type OwnOutputReport = NonNullable<Manifest['ownOutputs']>[number]
export type ChangeCounts = DatabaseReport['changes']
export type RowDifference = NonNullable<DatabaseReport['differences']>[number]
export type TableReport = Manifest['tables'][number]
export type LandedFrom = NonNullable<SourceReport['landed']>
export type SourceNotesReport = NonNullable<SourceReport['notes']>
export type MissingIdentifiers = SourceNotesReport['missing'][number]

/** One report for each path. Every table of a workbook has a report, with the path, size and hash of the whole. */
export function listDistinctFiles<File extends Pick<FileReport, 'path'>>(files: readonly File[]): File[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

export function listBaselineFiles({ records, tables }: Pick<PublishedState, 'records' | 'tables'>): StateFileReport[] {
  return [...(records === null ? [] : [records]), ...tables.flatMap(({ files }) => files)]
}

/** Paths of the files beside a manifest; null for a file that the run did not write. */
export interface EarlierCompanions {
  readonly missingPath: string | null
  readonly profilePath: string | null
  readonly reportPath: string | null
  readonly dataPackagePath: string | null
}

export function toEarlierCompanions(manifest: PublishedManifest | null): EarlierCompanions {
  const { missingIds: missing, profile, report, dataPackage } = manifest ?? {}
  return {
    missingPath: missing?.path ?? null,
    profilePath: profile?.path ?? null,
    reportPath: report?.path ?? null,
    dataPackagePath: dataPackage?.path ?? null,
  }
}
