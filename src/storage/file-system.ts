import { createHash } from 'node:crypto'
import { fdatasync, fsync } from 'node:fs'
import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { messageOf } from '../errors.ts'
import { failedWith, outputOperation } from './output-operation.ts'

/**
 * The file operations of staging and publishing: `node:fs/promises`, or a test's double that fails or stops anywhere.
 */
export type FileSystem = Pick<
  typeof nodeFs,
  'copyFile' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat'
>

/**
 * Creates a folder and its missing parents; resolves with the folders created, deepest first. Node's own recursive
 * mkdir never returns if a folder can't hold another, as in /proc.
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

export async function createTempFolder(name: string): Promise<string> {
  const prefix = join(tmpdir(), name)
  return outputOperation(prefix, 'created', () => nodeFs.mkdtemp(prefix))
}

/** Resolves with no path if the folder is there already, even if another process has just created it. */
async function createOne(path: string, fs: FileSystem): Promise<string[]> {
  try {
    await fs.mkdir(path)
    return [path]
  } catch (thrown) {
    if (failedWith(thrown, 'EEXIST')) return []
    throw thrown
  }
}

/** True if the path has a file, a folder or a symbolic link, even a broken one. */
export async function fileExists(path: string, fs: FileSystem): Promise<boolean> {
  return (await nullIfMissing(() => fs.lstat(path))) !== null
}

/** Resolves with the operation's result, or with null if it fails with one of these error codes (default ENOENT). */
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

export async function writeFlushed(
  path: string,
  flags: 'w' | 'wx',
  content: string | Uint8Array,
  fs: FileSystem,
): Promise<void> {
  await withFile(path, flags, fs, async (file) => {
    await file.writeFile(content)
    await flushFile(file)
  })
}

/**
 * Renames a file over what has that name. Windows refuses as long as another program has either of them open, such as a
 * virus scanner or an indexer, so it is tried again for a while there.
 */
export async function renameFile(
  from: string,
  to: string,
  fs: Pick<FileSystem, 'rename'> = nodeFs,
  { platform = process.platform, forMs = 10_000 } = {},
): Promise<void> {
  const until = Date.now() + forMs
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, 500)) {
    try {
      return await fs.rename(from, to)
    } catch (thrown) {
      const mayPass = platform === 'win32' && failedWith(thrown, 'EPERM', 'EACCES', 'EBUSY')
      if (!mayPass || Date.now() >= until) throw thrown
      await wait(pauseMs)
    }
  }
}

/** Flushes a file to disk. The handles that Yarn Plug'n'Play puts in place of Node's have no method for it, only a number. */
export async function flushFile(
  file: Pick<FileHandle, 'sync' | 'datasync' | 'fd'>,
  operation: keyof typeof byNumber = 'sync',
): Promise<void> {
  try {
    await file[operation]()
  } catch (thrown) {
    if (messageOf(thrown) !== 'Method not implemented.') throw thrown
    await byNumber[operation](file.fd)
  }
}

const byNumber = { sync: promisify(fsync), datasync: promisify(fdatasync) }

/** Flushes the names of these files to disk, with one fsync for each folder. */
export async function syncFoldersOf(paths: readonly string[], fs: FileSystem): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    await outputOperation(folder, 'flushed to disk', () => syncFolder(folder, fs))
  }
}

async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  try {
    await withFile(folder, 'r', fs, (handle) => flushFile(handle))
  } catch (thrown) {
    // Windows cannot open folders, some network file systems cannot sync them: the system flushes names later.
    if (!failedWith(thrown, 'EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP')) throw thrown
  }
}

/**
 * Error codes of file systems without hard links, beyond their limit of links, or guarding the files of other users.
 */
const refusals = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES']

/** Gives a file a second name; false if hard links can't be made. Throws EEXIST if the name is taken. */
export async function tryLink(from: string, to: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.link(from, to)
    return true
  } catch (thrown) {
    if (failedWith(thrown, ...refusals)) return false
    throw thrown
  }
}

/** The file's SHA-256 in lower-case hexadecimal; null if there is no file. */
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
