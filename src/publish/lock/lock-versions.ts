import type { FileHandle } from 'node:fs/promises'
import { type FileSystem, nullIfMissing, withFile } from '../file-system.ts'
import { parseHolder, type LockHolder } from './lock-holder.ts'
import { heirPath } from './lock-names.ts'

/** What a lock says at one moment. */
export interface LockVersion {
  /** Null where it says nothing that can be understood. */
  readonly holder: LockHolder | null
  /** When it gave its last sign of life, by the clock of the file system; milliseconds since 1970. */
  readonly aliveAtMs: number
  /** Where whoever takes it over has to be first. No two versions have the same. */
  readonly heirPath: string
}

/**
 * The lock and, of a dead holder, those who were first to take it over and died before they had, the last one last: it
 * is the one that counts. Empty where nobody holds the lock.
 */
export async function readLockVersions(lockPath: string, fs: FileSystem): Promise<LockVersion[]> {
  const versions: LockVersion[] = []
  for (let path = lockPath; ;) {
    const version = await readLockVersion(path, fs, lockPath)
    if (version === null) return versions
    versions.push(version)
    path = version.heirPath
  }
}

/** Null where nothing is at this path. */
export async function readLockVersion(path: string, fs: FileSystem, lockPath = path): Promise<LockVersion | null> {
  const read = async (file: FileHandle): Promise<LockVersion> => {
    const { mtimeMs, ino } = await file.stat()
    const holder = parseHolder(await file.readFile('utf8'))
    return { holder, aliveAtMs: mtimeMs, heirPath: heirPath(lockPath, holder ?? { pid: noProcess, run: `${ino}` }) }
  }
  return nullIfMissing(() => withFile(path, 'r', fs, read))
}

/** Above the largest number that a process can have. */
const noProcess = 2 ** 31 - 1
