import type { FileSystem } from './file-system.ts'
import { failedWith } from './output-operation.ts'

/** Where hard links cannot be made: by the file system, by its limits, or to protect the files of others. */
const refusals = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES']

/** Gives a file a second name; false where hard links cannot be made. Throws EEXIST when the name is taken. */
export async function tryLink(from: string, to: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.link(from, to)
    return true
  } catch (thrown) {
    if (failedWith(thrown, ...refusals)) return false
    throw thrown
  }
}
