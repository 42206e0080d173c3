import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { failedWith, outputOperation } from './output-operation.ts'

/** The file operations of staging and publishing: `node:fs/promises`, or a test's own that fails or stops where it likes. */
export type FileSystem = Pick<
  typeof nodeFs,
  'copyFile' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat'
>

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

/** Of a file, in lower-case hexadecimal. Undefined when nothing that could be read stands there. */
export async function readSha256(path: string, fs: FileSystem = nodeFs): Promise<string | undefined> {
  const hash = createHash('sha256')
  return outputOperation(path, 'read', async () => {
    try {
      const handle = await fs.open(path, 'r')
      // The stream closes the handle.
      for await (const chunk of handle.createReadStream()) hash.update(chunk as Uint8Array)
      return hash.digest('hex')
    } catch (thrown) {
      if (failedWith(thrown, 'ENOENT', 'EISDIR')) return undefined
      throw thrown
    }
  })
}
