import { basename } from 'node:path'
import { toCompanionPath } from '../plan/outputs/companion-path.ts'
import { isLakePlan } from '../plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import type { ReportPlan } from '../plan/report-plan.ts'
import type { SourcePlan } from '../plan/source/source-plan.ts'
import { localPathOf, siblingOf } from '../storage/paths.ts'

// All these names derive from the path of the manifest, which no two pipelines share.

/** Copy of a source that can be read only once but is needed twice. */
export function sourceCopyPath(report: ReportPlan): string {
  return `${localPathOf(report.manifest.path)}.source`
}

/** Buffer of a window of a partitioned stream. */
export function windowPath(report: ReportPlan, window: number): string {
  return `${localPathOf(report.manifest.path)}.window-${window}`
}

/** Rows of a table until they are compared with earlier runs. The last table holds the records. */
export function loadPath(report: ReportPlan, table: number): string {
  return `${localPathOf(report.manifest.path)}.load-${table}`
}

/** Sheets of a planned file until the workbook is assembled. */
export function sheetsPath(report: ReportPlan, file: number): string {
  return `${localPathOf(report.manifest.path)}.sheets-${file}`
}

export function mergeFolderPath(report: ReportPlan): string {
  return `${localPathOf(report.manifest.path)}.merge`
}

/** What a load of a lake needs meanwhile: copies of objects, and what does not fit into memory. */
export function lakeFolderPath(report: ReportPlan, database: number): string {
  return `${localPathOf(report.manifest.path)}.lake-${database}`
}

/** Path of the file of identifiers without rows. */
export function missingPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'missing.csv')
}

export function brokenPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'broken.csv')
}

/** Path of the file of corrected lines that replace rejected ones in the outputs. */
export function correctionsPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'corrections.ndjson')
}

export function reportPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'report.html')
}

/** Page of a run that published nothing: the name of the published page with `.failed`. */
export function failedReportPath(report: ReportPlan): string {
  return (report.page?.path ?? reportPath(report)).replace(/(\.[^./\\]*)?$/, '.failed$1')
}

export function listFixedPaths({ files }: OutputsPlan, report: ReportPlan): string[] {
  const { rejects, manifest, profile, page, runs, dataPackage } = report
  const paths = [...files, rejects, manifest, profile, page, runs, dataPackage].flatMap((file) => file?.path ?? [])
  return [...paths, missingPath(report), brokenPath(report), correctionsPath(report), failedReportPath(report)]
}

export function stateFolder({ manifest }: ReportPlan): string {
  const name = basename(manifest.path)
  const state = name === '_manifest.json' ? '_state' : `${name}.state`
  return siblingOf(manifest.path, state)
}

export function listStateFiles(records: RecordsPlan, report: ReportPlan): string[] {
  const folder = stateFolder(report)
  const modes = ['merge', 'history'] as const
  const ofTables = records.tables.flatMap(({ name }) => modes.map((mode) => `${folder}/${mode}/${name}.parquet`))
  return [`${folder}/records.parquet`, ...ofTables]
}

/** Temporary files that a run may have beside its outputs, for the next run to clear. */
export function listSideFiles(
  source: SourcePlan,
  records: RecordsPlan,
  outputs: OutputsPlan,
  report: ReportPlan,
): string[] {
  const partition = source.kind === 'service' ? source.partition : null
  // One more window holds the records without a creation time.
  const windows = partition === null ? 0 : partition.windows + 2
  const tables = outputs.stateful === null ? 0 : records.tables.length + 1
  return [
    sourceCopyPath(report),
    ...Array.from({ length: windows }, (_, window) => windowPath(report, window)),
    ...Array.from({ length: tables }, (_, table) => loadPath(report, table)),
    ...(tables === 0 ? [] : [mergeFolderPath(report)]),
    ...(outputs.stateful?.databases ?? []).flatMap((database, at) =>
      isLakePlan(database) ? [lakeFolderPath(report, at)] : [],
    ),
    ...outputs.files.flatMap(({ format }, file) => (format.format === 'xlsx' ? [sheetsPath(report, file)] : [])),
  ]
}
