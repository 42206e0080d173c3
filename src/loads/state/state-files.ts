import { invalid, readManifest } from '../../manifest/read-manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { readSha256 } from '../../storage/file-system.ts'
import { checkUnlisted } from './check-unlisted.ts'
import {
  type PublishedManifest,
  type PublishedState,
  type StateFileReport,
  listBaselineFiles,
} from '../../manifest/manifest.ts'

/**
 * Reads the manifest of a pipeline, for callers without a storage of their own. Throws STATE_INVALID also for files
 * that it does not list.
 */
export async function readManifestOnce(
  plan: PipelinePlan,
  stateFolder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PublishedManifest | null> {
  const {
    name,
    records,
    outputs,
    report: { manifest },
  } = plan
  const storage = await openStorage(manifest.path, env)
  try {
    const published = await readManifest(manifest.path, { own: name }, storage)
    if (!(await storage.isPublishing(manifest.path)))
      await checkUnlisted(manifest.path, records, outputs, published, stateFolder, storage)
    return published
  } finally {
    await storage.close()
  }
}

/** Throws STATE_INVALID if a file that the state needs differs from the published one. */
export async function checkStateFiles(
  path: string,
  state: PublishedState,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<void> {
  for (const file of listBaselineFiles(state)) {
    const bytes = await storage.sizeOf(file.path)
    if (bytes === file.bytes) continue
    const got = bytes === null ? 'no file' : `${bytes} bytes`
    throw invalid(path, `expected "${file.path}" with ${file.bytes} bytes, which the next run begins with, got ${got}`)
  }
}

/** Throws STATE_INVALID if the file at `localPath` is not the published file of the state. */
export async function checkStateFile(path: string, file: StateFileReport, localPath: string): Promise<void> {
  const sha256 = await readSha256(localPath)
  if (sha256 === file.sha256) return
  const got = sha256 === null ? 'no file' : `sha256 ${sha256}: it was changed since`
  throw invalid(path, `expected "${file.path}" with sha256 ${file.sha256}, which this run begins with, got ${got}`)
}
