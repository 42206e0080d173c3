import type { z } from 'zod'
import type { landing, landingManifest } from './landing-schema.ts'
import type { manifestSchema } from './manifest-schema.ts'
import type { rawText, reject } from './rejects-schema.ts'
import type { csvDialect } from './state-schema.ts'

/** The report of a published run, which the manifest holds. The types of its parts follow from it. */
export type Manifest = DeepReadonly<z.output<typeof manifestSchema>>

/** A manifest as other runs read it: an earlier version may have written it, and a reset leaves no state. */
export type PublishedManifest = Pick<Manifest, 'pipeline' | 'configHash' | 'files'> &
  Partial<Omit<Manifest, 'pipeline' | 'configHash' | 'files' | 'state'>> & {
    readonly state?: PublishedState | null | undefined
  }

export type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** A line of the rejects file. */
export type RejectsFileLine = DeepReadonly<z.output<typeof reject>> & RawText
export type Issue = RejectsFileLine['issues'][number]
export type RawText = DeepReadonly<z.output<typeof rawText>>

export type FileReport = Manifest['files'][number]
export type CsvDialect = Readonly<z.output<typeof csvDialect>>
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
/** A rule of the config with what was found. */
export type RuleReport = NonNullable<Manifest['rules']>[number]
export type SourceIdsSummary = NonNullable<Manifest['sourceIds']>
export type SourceReport = Manifest['sources'][number]
/** What became of every line. */
export type Ledger = Manifest['ledger']
/** A condition, and what fails it and none before it. */
export type FilteredBy = NonNullable<Manifest['filteredBy']>[number]
/** What a run found beyond its contract, with counts. */
export type Drift = Manifest['drift']
/** The proof that a stream is whole, or why there is none. */
export type Completeness = Manifest['completeness']
/** What the config did probably not mean. */
export type Doubt = NonNullable<Manifest['doubts']>[number]
export type RejectReason = NonNullable<Manifest['rejects']['reasons']>[number]
export type WrongValues = NonNullable<Manifest['rejects']['wrongValues']>
export type StageReport = Manifest['stages'][number]
export type RemovedRecord = NonNullable<Manifest['removedRecords']>[number]
export type DatabaseReport = NonNullable<Manifest['databases']>[number]
export type ChangeCounts = DatabaseReport['changes']
export type RowDifference = NonNullable<DatabaseReport['differences']>[number]
export type TableReport = Manifest['tables'][number]
/** The manifest of a file that `fetch` landed. */
export type LandingManifest = DeepReadonly<z.output<typeof landingManifest>>
/** The part of it that a run needs. */
export type Landing = DeepReadonly<z.output<typeof landing>>
/** The origin of the lines of a landed file. */
export type LandedFrom = NonNullable<SourceReport['landed']>
export type SourceNotesReport = NonNullable<SourceReport['notes']>
export type MissingIdentifiers = SourceNotesReport['missing'][number]

/** The reports of different files: each table of a workbook has one, with the path, size and hash of the whole. */
export function listDistinctFiles<File extends Pick<FileReport, 'path'>>(files: readonly File[]): File[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/** The files that the next run begins with. */
export function listBaselineFiles({ records, tables }: Pick<PublishedState, 'records' | 'tables'>): StateFileReport[] {
  return [...(records === null ? [] : [records]), ...tables.flatMap(({ files }) => files)]
}

/** The paths of the files beside the manifest of a run; null for one that it did not write. */
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
