import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { toCompanionPath } from '../plan/outputs/companion-path.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { folderOf, isObjectPath } from '../storage/s3/object-path.ts'

/** All of these names come from the path of the manifest: two pipelines never share it. */
type OfManifest = Pick<PipelinePlan, 'report'>

/**
 * The prefix of files that only this machine sees: the manifest's path, or for the manifest of a bucket a path in the
 * folder for temporary files.
 */
export function localPathOf({ report: { manifest } }: OfManifest): string {
  if (!isObjectPath(manifest.path)) return manifest.path
  const name = createHash('sha256').update(manifest.path).digest('hex').slice(0, 16)
  return join(tmpdir(), `catalogue-etl-${userInfo().uid}`, name, '_manifest.json')
}

/** The copy of a source that can be read only once and has to be read twice. */
export function sourceCopyPath(plan: OfManifest): string {
  return `${localPathOf(plan)}.source`
}

/** The file of a window of a partitioned stream until its turn. */
export function windowPath(plan: OfManifest, window: number): string {
  return `${localPathOf(plan)}.window-${window}`
}

/** The rows of a table until they are compared with those of earlier runs; the records come after the tables. */
export function loadPath(plan: OfManifest, table: number): string {
  return `${localPathOf(plan)}.load-${table}`
}

/** The sheets of a file of the plan until the workbook is put together. */
export function sheetsPath(plan: OfManifest, file: number): string {
  return `${localPathOf(plan)}.sheets-${file}`
}

/** The folder for what comparing them does not keep in memory. */
export function mergeFolderPath(plan: OfManifest): string {
  return `${localPathOf(plan)}.merge`
}

/** The path of the file of identifiers that brought nothing; each manifest has its own. */
export function missingPath({ report: { manifest } }: OfManifest): string {
  return toCompanionPath(manifest.path, 'missing.csv')
}

/** The path of the file of rows that break rules. */
export function brokenPath({ report: { manifest } }: OfManifest): string {
  return toCompanionPath(manifest.path, 'broken.csv')
}

/** The path of the file of corrected lines that the outputs have in the place of rejected ones. */
export function correctionsPath({ report: { manifest } }: OfManifest): string {
  return toCompanionPath(manifest.path, 'corrections.ndjson')
}

/** The usual path of the page of a run. */
export function reportPath({ report: { manifest } }: OfManifest): string {
  return toCompanionPath(manifest.path, 'report.html')
}

/** The page of a run that has published nothing: beside that of the published one, whose name it has with `.failed`. */
export function failedReportPath(plan: OfManifest & Pick<PipelinePlan, 'report'>): string {
  return (plan.report.page?.path ?? reportPath(plan)).replace(/(\.[^./\\]*)?$/, '.failed$1')
}

/** The paths of the outputs and of all files beside them that a plan names. */
export function listFixedPaths(plan: Pick<PipelinePlan, 'outputs' | 'report'>): string[] {
  const {
    outputs: { files },
    report: { rejects, manifest, profile, page: report, dataPackage },
  } = plan
  const paths = [...files, rejects, manifest, profile, report, dataPackage].flatMap((file) => file?.path ?? [])
  return [...paths, missingPath(plan), brokenPath(plan), correctionsPath(plan), failedReportPath(plan)]
}

/** The folder of the files that only the next run reads; each manifest has its own. */
export function stateFolder({ report: { manifest } }: OfManifest): string {
  const name = basename(manifest.path)
  const state = name === '_manifest.json' ? '_state' : `${name}.state`
  return beside(manifest.path, state)
}

function beside(path: string, name: string): string {
  return isObjectPath(path) ? `${folderOf(path)}/${name}` : join(dirname(path), name)
}

/** The files that a run may write there. */
export function listStateFiles(plan: Pick<PipelinePlan, 'report' | 'records'>): string[] {
  const folder = stateFolder(plan)
  const modes = ['merge', 'history'] as const
  const ofTables = plan.records.tables.flatMap(({ name }) => modes.map((mode) => `${folder}/${mode}/${name}.parquet`))
  return [`${folder}/records.parquet`, ...ofTables]
}

/** Every file that a run may have beside its outputs, for the next one to clear. */
export function listSideFiles(plan: Pick<PipelinePlan, 'report' | 'source' | 'records' | 'outputs'>): string[] {
  const partition = plan.source.kind === 'service' ? plan.source.partition : null
  // One window more holds the records without a time of creation.
  const windows = partition === null ? 0 : partition.windows + 2
  const tables = plan.outputs.stateful === null ? 0 : plan.records.tables.length + 1
  return [
    sourceCopyPath(plan),
    ...Array.from({ length: windows }, (_, window) => windowPath(plan, window)),
    ...Array.from({ length: tables }, (_, table) => loadPath(plan, table)),
    ...(tables === 0 ? [] : [mergeFolderPath(plan)]),
    ...plan.outputs.files.flatMap(({ format }, file) => (format.format === 'xlsx' ? [sheetsPath(plan, file)] : [])),
  ]
}
