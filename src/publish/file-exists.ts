import type { FileSystem } from './file-system.ts'
import { failedWith } from './output-operation.ts'

/** Whether anything has this name; a symbolic link counts, wherever it leads. */
export async function fileExists(path: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.lstat(path)
    return true
  } catch (thrown) {
    if (failedWith(thrown, 'ENOENT')) return false
    throw thrown
  }
}
