import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type FileSystem, nullIfMissing, withFile } from '../file-system.ts'
import { siblingPath, stagingPath } from '../staging-names.ts'
import { type LockHolder, parseHolder } from './lock-holder.ts'

/** The content of a lock at one time. */
export interface LockVersion {
  /** Null if it can't be parsed. */
  readonly holder: LockHolder | null
  /** Time of its last sign of life, by the clock of the file system; milliseconds since 1970. */
  readonly aliveAtMs: number
  /** The name that a run takes first to take this lock over. Every version has its own. */
  readonly heirPath: string
}

/**
 * The lock and, where its holder is dead, the heirs that died before they had taken it over. The last one counts. Empty
 * where nobody holds the lock.
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

/** Null if nothing is at this path. */
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

/** A run that waits for a lock, or had it. */
interface NameOwner {
  readonly pid: number
  readonly run: string
}

/** The file in which a run writes its future lock. `clearStaleStaging` clears that of a killed run. */
export function candidatePath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_lock`)
}

/** The name that a run takes to take over the lock of a dead run, which only one can. Cleared in the same way. */
export function heirPath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_heir`)
}

/** The partial name, for a run, of the file that is locked. */
function partialPath(lockPath: string, pid: number, token: string): string {
  const locked = join(dirname(lockPath), basename(lockPath).replace(/^\.|\.lock$/g, ''))
  return siblingPath(stagingPath(locked, { pid, token }), 'partial')
}
