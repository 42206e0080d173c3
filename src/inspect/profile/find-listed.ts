import { basename, sep } from 'node:path'
import { joinPath, parentOf, storageOf, toAbsolutePath } from '../../storage/paths.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { FileReport } from '../../manifest/manifest.ts'

export interface ListedFile {
  readonly manifest: string
  readonly runId: string
  readonly file: FileReport
}

/** Finds the manifest that lists a file, in its folder or up to three folders above it, as partitions are nested. */
export async function findListed(path: string, { env }: RequiredContext<'env'>): Promise<ListedFile | null> {
  const storage = await openStorage(path, env)
  try {
    const bytes = await storage.sizeOf(path)
    for (const folder of listFolders(path)) {
      const manifest = joinPath(folder, '_manifest.json')
      const published = await readManifest(manifest, 'anyones', storage)
      const file = published?.files.find((each) => each.bytes === bytes && isSame(each.path, path, folder))
      if (published?.runId !== undefined && file !== undefined) return { manifest, runId: published.runId, file }
    }
    return null
  } finally {
    await storage.close()
  }
}

function listFolders(path: string): string[] {
  const folders = [parentOf(toAbsolutePath(path))]
  for (let depth = 0; depth < mostPartitions; depth++) folders.push(parentOf(folders.at(-1) ?? ''))
  return [...new Set(folders)].filter((folder) => storageOf(folder) === storageOf(path))
}

const mostPartitions = 3

/**
 * Whether both paths lead to the same place below the manifest's folder, wherever the run was started and even if the
 * folder was moved.
 */
function isSame(listed: string, path: string, folder: string): boolean {
  const below = toAbsolutePath(path).slice(folder.length).replaceAll(sep, '/')
  return `/${listed.replaceAll(sep, '/')}`.endsWith(below) && basename(listed) === basename(path)
}
