import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type FileSystem, nullIfMissing, withFile } from '../file-system.ts'
import { siblingPath, stagingPath } from '../staging-names.ts'
import { type LockHolder, parseHolder } from './lock-holder.ts'

export interface LockVersion {
  readonly holder: LockHolder | null
  /** The last sign of life by the file system's clock, in milliseconds since 1970. */
  readonly aliveAtMs: number
  /** The name a run must take to take this version over. Every version has its own. */
  readonly heirPath: string
}

/**
 * The lock and, if its holder is dead, the heirs that died before they took it over. The last one counts. Empty if
 * nobody holds the lock.
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

export async function readLockVersion(path: string, fs: FileSystem, lockPath = path): Promise<LockVersion | null> {
  const read = async (file: FileHandle): Promise<LockVersion> => {
    const { mtimeMs, ino } = await file.stat()
    const holder = parseHolder(await file.readFile('utf8'))
    return { holder, aliveAtMs: mtimeMs, heirPath: heirPath(lockPath, holder ?? { pid: noProcess, run: `${ino}` }) }
  }
  return nullIfMissing(() => withFile(path, 'r', fs, read))
}

const noProcess = 2 ** 31 - 1

interface NameOwner {
  readonly pid: number
  readonly run: string
}

/** The file in which a run writes its future lock. `clearStaleStaging` removes a killed run's. */
export function candidatePath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_lock`)
}

/** The name by which one run only can take over the lock of a dead run. `clearStaleStaging` removes a killed run's. */
export function heirPath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_heir`)
}

function partialPath(lockPath: string, pid: number, token: string): string {
  const locked = join(dirname(lockPath), basename(lockPath).replace(/^\.|\.lock$/g, ''))
  return siblingPath(stagingPath(locked, { pid, token }), 'partial')
}
