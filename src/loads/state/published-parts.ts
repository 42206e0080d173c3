import { rm, rmdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { nameOf } from '../../storage/s3/object-path.ts'
import { failedWith, outputOperation } from '../../storage/output-operation.ts'
import { toPartNamePattern } from '../files/part-paths.ts'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import { parentOf, toAbsolutePath } from '../../storage/paths.ts'

/** Lists the files of an output, in folders of runs and partitions. */
export async function listParts(path: string, storage: Pick<FileStorage, 'list'>): Promise<string[]> {
  const folder = parentOf(path)
  const pattern = toPartNamePattern(path)
  const isPart = (candidate: string) => {
    const folders = toRelative(candidate, folder).split('/').slice(0, -1)
    const isOwnFolder = folders.every((name) => name.includes('='))
    return isOwnFolder && pattern.test(nameOf(candidate.replaceAll('\\', '/')).replace(/\.run-[\w-]+/, ''))
  }
  return (await listFiles(folder, (name) => name.includes('='), storage)).filter(isPart)
}

function toRelative(path: string, folder: string): string {
  return toAbsolutePath(path)
    .slice(toAbsolutePath(folder).length + 1)
    .replaceAll('\\', '/')
}

/** Lists all files in a folder, except staging files of killed runs. */
export async function listFiles(
  folder: string,
  enters: (name: string) => boolean,
  storage: Pick<FileStorage, 'list'>,
): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of storage.list(folder, enters)) {
    if (!nameOf(path.replaceAll('\\', '/')).startsWith('.')) paths.push(path)
  }
  return paths
}

/** Whether a published file belongs to an output of a stateful plan. */
export function isOutputOf(file: FileReport, { path, mode }: FilePlan): boolean {
  return file.mode === mode && file.base !== undefined && resolve(file.base) === resolve(path)
}

/**
 * Names files that earlier runs added to outputs and that are missing, in a sentence for each output: no run restores
 * them. Other outputs are rewritten if a file is missing, or end the run if the next one begins with it.
 */
export async function describeMissingParts(
  { files }: OutputsPlan,
  published: PublishedManifest | null,
  storage: Pick<FileStorage, 'list'>,
): Promise<string[]> {
  const sentences: string[] = []
  for (const output of files.filter(({ mode }) => addsFiles(mode))) {
    const { path } = output
    const listed = (published?.files ?? []).filter((file) => isOutputOf(file, output))
    if (listed.length === 0) continue
    const there = new Set((await listParts(path, storage)).map((part) => resolve(part)))
    const gone = listed.filter((part) => !there.has(resolve(part.path)))
    if (gone.length === 0) continue
    const first = gone.slice(0, 3).map((part) => `"${part.path}"`)
    const more = gone.length > 3 ? ` and ${gone.length - 3} more` : ''
    sentences.push(
      `${path}: expected the ${listed.length} files that earlier runs added, got all but ${gone.length}, which the manifest still lists: ${first.join(', ')}${more}`,
    )
  }
  return sentences
}

/** Removes files that are no longer listed, and the folders of partitions that this empties. */
export async function removeObsolete(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await outputOperation(path, 'removed', () => rm(path, { force: true }))
    await removeEmptyPartitions(dirname(path))
  }
}

async function removeEmptyPartitions(folder: string): Promise<void> {
  if (!basename(folder).includes('=')) return
  try {
    await rmdir(folder)
  } catch (error) {
    if (failedWith(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return
    throw error
  }
  await removeEmptyPartitions(dirname(folder))
}
