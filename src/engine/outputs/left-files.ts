import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { isRunPathOf } from '../../storage/s3/object-path.ts'
import type { FinishedOutputs } from './output-reports.ts'
import { type FormerFiles, listFormerFiles } from '../../manifest/former-run.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import { type LeftFile, type StateFileReport, listBaselineFiles } from '../../manifest/manifest.ts'
import { parentOf, toAbsolutePath } from '../../storage/paths.ts'

interface LeavingPlan {
  readonly name: string
  readonly outputs: OutputsPlan
  readonly report: ReportPlan
}

export interface LeftFilesOptions {
  readonly storage: Pick<FileStorage, 'sizeOf' | 'hash' | 'read' | 'listSuperseded'>
  /** Removes the files after publication, instead of listing them. */
  readonly prune: boolean
}

/**
 * Finds files that an earlier config of the pipeline left: listed in the current manifest, not written by this run, and
 * unchanged since they were published. Files that a killed run was going to remove are removed now. `going` are files
 * that the publication removes anyway.
 */
export async function findLeftFiles(
  plan: LeavingPlan,
  former: FormerFiles,
  written: Pick<FinishedOutputs, 'files' | 'state'>,
  going: readonly string[],
  { storage, prune }: LeftFilesOptions,
): Promise<Pick<FinishedOutputs, 'leftFiles' | 'prunedFiles'>> {
  const candidates = await listCandidates(plan, former, written, going, storage)
  const begun = new Set(former.pruned.map(({ path }) => toAbsolutePath(path)))
  const leftFiles: LeftFile[] = []
  const prunedFiles: LeftFile[] = []
  for (const file of candidates) {
    if ((await storage.sizeOf(file.path)) !== file.bytes) continue
    if (!prune && !begun.has(toAbsolutePath(file.path))) leftFiles.push(file)
    // A file that somebody else has written there may have the same size.
    else if ((await storage.hash(file.path)) === file.sha256) prunedFiles.push(file)
  }
  return { ...(leftFiles.length > 0 && { leftFiles }), ...(prunedFiles.length > 0 && { prunedFiles }) }
}

async function listCandidates(
  plan: LeavingPlan,
  former: FormerFiles,
  { files, state }: Pick<FinishedOutputs, 'files' | 'state'>,
  going: readonly string[],
  storage: LeftFilesOptions['storage'],
): Promise<LeftFile[]> {
  const listed: LeftFile[] = [...former.files, ...former.left, ...former.pruned]
  if (listed.length === 0) return []
  const ofState = state === undefined ? [] : listBaselineFiles(state)
  const kept = [...files, ...ofState].map(({ path }) => path)
  const others = [plan.report.manifest.path, ...going, ...(await storage.listSuperseded(plan.report.manifest.path))]
  const planned = plan.outputs.files.map(({ path }) => path)
  const taken = new Set([...kept, ...others, ...planned].map(toAbsolutePath))
  const isReplaced = (path: string) => planned.some((output) => isRunPathOf(path, output))
  const candidates = new Map<string, LeftFile>()
  for (const { path, bytes, sha256, table, mode, base } of listed) {
    const key = toAbsolutePath(path)
    // Files that are outputs and state are listed twice, as outputs first.
    if (taken.has(key) || isReplaced(path) || candidates.has(key)) continue
    candidates.set(key, { path, bytes, sha256, ...(mode && { table, mode, base }) })
  }
  const foreign = await listForeign(plan.name, plan.report, [...candidates.values()], storage)
  return [...candidates].flatMap(([key, file]) => (foreign.has(key) ? [] : [file]))
}

async function listForeign(
  name: string,
  { manifest }: ReportPlan,
  files: readonly StateFileReport[],
  storage: Pick<FileStorage, 'read'>,
): Promise<Set<string>> {
  const folders = new Set(files.map(({ path }) => parentOf(path)))
  const foreign = new Set<string>()
  for (const folder of folders) {
    const path = `${folder}/_manifest.json`
    if (toAbsolutePath(path) === toAbsolutePath(manifest.path)) continue
    const found = await readManifest(path, 'anyones', storage)
    if (found === null || found.pipeline === name) continue
    for (const file of listFormerFiles(found).files) foreign.add(toAbsolutePath(file.path))
  }
  return foreign
}
