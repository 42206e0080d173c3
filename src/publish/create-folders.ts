import { dirname, resolve } from 'node:path'
import type { FileSystem } from './file-system.ts'
import { failedWith } from './output-operation.ts'

/**
 * Creates a folder and those above it that are missing; resolves with what it created, the deepest first. Node's own
 * recursive mkdir never returns where a folder can't hold another, as in /proc.
 */
export async function createFolders(folder: string, fs: FileSystem): Promise<string[]> {
  const path = resolve(folder)
  try {
    return await createOne(path, fs)
  } catch (thrown) {
    if (!failedWith(thrown, 'ENOENT') || dirname(path) === path) throw thrown
  }
  const above = await createFolders(dirname(path), fs)
  return [...(await createOne(path, fs)), ...above]
}

/** Nothing where it is there already, be it through somebody else a moment ago. */
async function createOne(path: string, fs: FileSystem): Promise<string[]> {
  try {
    await fs.mkdir(path)
    return [path]
  } catch (thrown) {
    if (failedWith(thrown, 'EEXIST')) return []
    throw thrown
  }
}
