import { setTimeout as sleep } from 'node:timers/promises'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { stateFolder } from '../../engine/side-files.ts'
import { listFiles, listParts } from '../../loads/state/published-parts.ts'
import type { RunContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { Difference, Verification } from './verification.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import { listBaselineFiles, type PublishedManifest, type StateFileReport } from '../../manifest/manifest.ts'
import { toAbsolutePath } from '../../storage/paths.ts'

export interface VerifiedFiles extends Pick<Verification, 'runId' | 'publishedAt' | 'files' | 'bytes' | 'differences'> {
  /** Start of the run, which loaded every database of the config; null if it had another config, or none. */
  readonly loadedAt: string | null
}

export interface VerifyFilesOptions extends Pick<RunContext, 'signal'> {
  readonly publicationWaitMs: number
}

/**
 * Compares the files of a pipeline with its manifest. A run that publishes meanwhile replaces them one by one.
 * Differences therefore count only if no publication is under way, and a second comparison with the same manifest finds
 * them again.
 */
export async function verifyFiles(
  name: string,
  outputs: OutputsPlan,
  report: ReportPlan,
  storage: FileStorage,
  { signal, publicationWaitMs }: VerifyFilesOptions,
): Promise<VerifiedFiles> {
  const { path } = report.manifest
  let before = ''
  let waitedMs = 0
  for (;;) {
    signal?.throwIfAborted()
    const published = await readManifest(path, { own: name }, storage)
    const found = await compareFiles(outputs, report, published, storage, signal)
    if (found.differences.length === 0) return found
    if (await storage.isPublishing(path)) {
      if (waitedMs >= publicationWaitMs) return { ...found, differences: [unfinished(path), ...found.differences] }
      waitedMs += pollMs
      await sleep(pollMs, undefined, { signal })
      continue
    }
    const now = JSON.stringify([published, found.differences])
    if (now === before) return found
    before = now
  }
}

const pollMs = 200

async function compareFiles(
  outputs: OutputsPlan,
  report: ReportPlan,
  published: PublishedManifest | null,
  storage: FileStorage,
  signal: AbortSignal | undefined,
): Promise<VerifiedFiles> {
  if (published === null) {
    const expected = 'the manifest of a published run'
    const differences: Difference[] = [{ kind: 'missing', where: report.manifest.path, expected, got: 'no file' }]
    return { runId: null, publishedAt: null, loadedAt: null, files: 0, bytes: 0, differences }
  }
  const listed = listFilesOf(published)
  const differences: Difference[] = []
  let read = 0
  for (const file of listed) {
    signal?.throwIfAborted()
    const difference = await compareFile(file, storage)
    if (difference === null) read += file.bytes
    else differences.push(difference)
  }
  differences.push(...(await findUnexpected(outputs, report, published, storage)))
  const { runId = null, finishedAt = null, state, configHash } = published
  const loadedAt = configHash === outputs.configHash ? (state?.startedAt ?? null) : null
  return { runId, publishedAt: finishedAt, loadedAt, files: listed.length, bytes: read, differences }
}

/**
 * Outputs and files for the next run, each once. Without files that failed runs also write: rejects and rows that break
 * rules.
 */
function listFilesOf({ files, state, missingIds, profile, dataPackage }: PublishedManifest): StateFileReport[] {
  const companions = [missingIds, profile, dataPackage].filter((file) => file !== undefined)
  const all = [...files, ...companions, ...(state ? listBaselineFiles(state) : [])]
  return [...new Map(all.map((file) => [file.path, file])).values()]
}

async function compareFile({ path, bytes, sha256 }: StateFileReport, storage: FileStorage): Promise<Difference | null> {
  const size = await storage.sizeOf(path)
  if (size === null) return { kind: 'missing', where: path, expected: `a file of ${bytes} bytes`, got: 'no file' }
  if (size !== bytes) return { kind: 'changed', where: path, expected: `${bytes} bytes`, got: `${size} bytes` }
  const hash = await storage.hash(path)
  if (hash === sha256) return null
  const got = hash === null ? 'no file' : `sha256 ${hash}`
  return { kind: hash === null ? 'missing' : 'changed', where: path, expected: `sha256 ${sha256}`, got }
}

/**
 * Files that have names of outputs or state, but are not listed. Objects of the previous publication are expected, as
 * they stay for readers of its manifest. For a pipeline without state, other file names are unknown.
 */
async function findUnexpected(
  { stateful, files }: OutputsPlan,
  report: ReportPlan,
  published: PublishedManifest,
  storage: FileStorage,
): Promise<Difference[]> {
  // After a reset the files of the state stay until the next run replaces them.
  if (stateful === null || files.length === 0 || !published.state) return []
  const found = await listFiles(stateFolder(report), () => true, storage)
  for (const { path } of files) found.push(...(await listParts(path, storage)))
  const { state, leftFiles = [], prunedFiles = [] } = published
  const left = [...leftFiles, ...prunedFiles].map(({ path }) => path)
  const others = [...(await storage.listSuperseded(report.manifest.path)), ...(state?.obsoleteFiles ?? []), ...left]
  const listed = [
    ...listFilesOf(published).map(({ path }) => path),
    ...others,
    report.rejects.path,
    report.manifest.path,
  ]
  const known = new Set(listed.map(toAbsolutePath))
  return [...new Set(found)]
    .filter((path) => !known.has(toAbsolutePath(path)))
    .map((path) => ({
      kind: 'unexpected',
      where: path,
      expected: 'no file that the manifest does not list',
      got: 'a file',
    }))
}

function unfinished(path: string): Difference {
  const got = 'one that has begun and not ended, of a run or of one that was killed: the next run finishes or undoes it'
  return { kind: 'unfinished', where: path, expected: 'no publication under way', got }
}
