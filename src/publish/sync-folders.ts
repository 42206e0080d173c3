import { dirname } from 'node:path'
import type { FileSystem } from './file-system.ts'
import { failedWith, outputOperation } from './output-operation.ts'

/** Flushes to disk that these files have their names: one fsync for each folder they are in. */
export async function syncFoldersOf(paths: readonly string[], fs: FileSystem): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    await outputOperation(folder, 'flushed to disk', () => syncFolder(folder, fs))
  }
}

async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    // Windows cannot open folders, some network file systems cannot sync them: names are flushed when the system likes.
    if (!failedWith(thrown, 'EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP')) throw thrown
  }
}
