import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { failedWith, outputOperation } from './output-operation.ts'

/** The file operations of staging and publishing: `node:fs/promises`, or a test's own, which can fail or stop anywhere. */
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

/** Creates a folder of its own, whose name begins like this, in the system's folder for temporary files. */
export async function createTempFolder(name: string): Promise<string> {
  const prefix = join(tmpdir(), name)
  return outputOperation(prefix, 'created', () => nodeFs.mkdtemp(prefix))
}

/** Resolves with nothing if the folder is there already, also when another process has just created it. */
async function createOne(path: string, fs: FileSystem): Promise<string[]> {
  try {
    await fs.mkdir(path)
    return [path]
  } catch (thrown) {
    if (failedWith(thrown, 'EEXIST')) return []
    throw thrown
  }
}

/** True when anything has this name; a symbolic link counts, wherever it leads. */
export async function fileExists(path: string, fs: FileSystem): Promise<boolean> {
  return (await nullIfMissing(() => fs.lstat(path))) !== null
}

/** The result of an operation; null if it fails with one of these codes of the system. Default: nothing is there. */
export async function nullIfMissing<Value>(
  operation: () => Promise<Value>,
  codes: readonly string[] = ['ENOENT'],
): Promise<Value | null> {
  try {
    return await operation()
  } catch (thrown) {
    if (failedWith(thrown, ...codes)) return null
    throw thrown
  }
}

/** Opens a file, and closes it when `use` has ended. */
export async function withFile<Value>(
  path: string,
  flags: string,
  fs: FileSystem,
  use: (file: FileHandle) => Promise<Value>,
): Promise<Value> {
  const file = await fs.open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Writes a small file whole, and flushes it to disk. */
export async function writeFlushed(path: string, flags: 'w' | 'wx', text: string, fs: FileSystem): Promise<void> {
  await withFile(path, flags, fs, async (file) => {
    await file.writeFile(text)
    await file.sync()
  })
}

/** Flushes the names of these files to disk: one fsync for each folder they are in. */
export async function syncFoldersOf(paths: readonly string[], fs: FileSystem): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    await outputOperation(folder, 'flushed to disk', () => syncFolder(folder, fs))
  }
}

async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  try {
    await withFile(folder, 'r', fs, (handle) => handle.sync())
  } catch (thrown) {
    // Windows cannot open folders, some network file systems cannot sync them: the system flushes names later.
    if (!failedWith(thrown, 'EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP')) throw thrown
  }
}

/** Codes of systems where hard links cannot be made: by the file system, by its limits, or to protect the files of others. */
const refusals = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES']

/** Gives a file a second name; false if hard links cannot be made. Throws EEXIST when the name is taken. */
export async function tryLink(from: string, to: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.link(from, to)
    return true
  } catch (thrown) {
    if (failedWith(thrown, ...refusals)) return false
    throw thrown
  }
}

/** The hash of a file, in lower-case hexadecimal; null if there is none. */
export async function readSha256(path: string, fs: FileSystem = nodeFs): Promise<string | null> {
  const read = async (): Promise<string> => {
    const hash = createHash('sha256')
    const handle = await fs.open(path, 'r')
    // The stream closes the handle.
    for await (const chunk of handle.createReadStream()) hash.update(chunk as Uint8Array)
    return hash.digest('hex')
  }
  return outputOperation(path, 'read', () => nullIfMissing(read, ['ENOENT', 'EISDIR']))
}
