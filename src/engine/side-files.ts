import { basename } from 'node:path'
import { toCompanionPath } from '../plan/outputs/companion-path.ts'
import type { OutputsPlan } from '../plan/outputs/outputs-plan.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import type { ReportPlan } from '../plan/report-plan.ts'
import { localPathOf, siblingOf } from '../storage/paths.ts'

// All of these names come from the path of the manifest: two pipelines never share it.

/** The copy of a source that can be read only once and has to be read twice. */
export function sourceCopyPath(report: ReportPlan): string {
  return `${localPathOf(report.manifest.path)}.source`
}

/** The file of a window of a partitioned stream until its turn. */
export function windowPath(report: ReportPlan, window: number): string {
  return `${localPathOf(report.manifest.path)}.window-${window}`
}

/** The rows of a table until they are compared with those of earlier runs; the records come after the tables. */
export function loadPath(report: ReportPlan, table: number): string {
  return `${localPathOf(report.manifest.path)}.load-${table}`
}

/** The sheets of a file of the plan until the workbook is put together. */
export function sheetsPath(report: ReportPlan, file: number): string {
  return `${localPathOf(report.manifest.path)}.sheets-${file}`
}

/** The folder for what comparing them does not keep in memory. */
export function mergeFolderPath(report: ReportPlan): string {
  return `${localPathOf(report.manifest.path)}.merge`
}

/** The path of the file of identifiers that brought nothing; each manifest has its own. */
export function missingPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'missing.csv')
}

/** The path of the file of rows that break rules. */
export function brokenPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'broken.csv')
}

/** The path of the file of corrected lines that the outputs have in the place of rejected ones. */
export function correctionsPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'corrections.ndjson')
}

/** The usual path of the page of a run. */
export function reportPath({ manifest }: ReportPlan): string {
  return toCompanionPath(manifest.path, 'report.html')
}

/** The page of a run that has published nothing: beside that of the published one, whose name it has with `.failed`. */
export function failedReportPath(report: ReportPlan): string {
  return (report.page?.path ?? reportPath(report)).replace(/(\.[^./\\]*)?$/, '.failed$1')
}

/** The paths of the outputs and of all files beside them that a plan names. */
export function listFixedPaths({ files }: OutputsPlan, report: ReportPlan): string[] {
  const { rejects, manifest, profile, page, dataPackage } = report
  const paths = [...files, rejects, manifest, profile, page, dataPackage].flatMap((file) => file?.path ?? [])
  return [...paths, missingPath(report), brokenPath(report), correctionsPath(report), failedReportPath(report)]
}

/** The folder of the files that only the next run reads; each manifest has its own. */
export function stateFolder({ manifest }: ReportPlan): string {
  const name = basename(manifest.path)
  const state = name === '_manifest.json' ? '_state' : `${name}.state`
  return siblingOf(manifest.path, state)
}

/** The files that a run may write there. */
export function listStateFiles(records: RecordsPlan, report: ReportPlan): string[] {
  const folder = stateFolder(report)
  const modes = ['merge', 'history'] as const
  const ofTables = records.tables.flatMap(({ name }) => modes.map((mode) => `${folder}/${mode}/${name}.parquet`))
  return [`${folder}/records.parquet`, ...ofTables]
}

/** Every file that a run may have beside its outputs, for the next one to clear. */
export function listSideFiles({ source, records, outputs, report }: PipelinePlan): string[] {
  const partition = source.kind === 'service' ? source.partition : null
  // One window more holds the records without a time of creation.
  const windows = partition === null ? 0 : partition.windows + 2
  const tables = outputs.stateful === null ? 0 : records.tables.length + 1
  return [
    sourceCopyPath(report),
    ...Array.from({ length: windows }, (_, window) => windowPath(report, window)),
    ...Array.from({ length: tables }, (_, table) => loadPath(report, table)),
    ...(tables === 0 ? [] : [mergeFolderPath(report)]),
    ...outputs.files.flatMap(({ format }, file) => (format.format === 'xlsx' ? [sheetsPath(report, file)] : [])),
  ]
}
