import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError } from '../errors.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'
import type { LakeSession } from './lake-format.ts'

/** The file that makes a version of a table. */
export interface VersionFile {
  /** The folder of the table. */
  readonly folder: string
  readonly version: number
  readonly path: string
  readonly bytes: Uint8Array
  /** Finds out whose file of this version is there. */
  readonly find: () => Promise<'own' | 'other' | 'none'>
}

/**
 * Makes a version, if there is none of its number. Returns false if another one is there; the file then has no effect. Throws
 * TARGET_FAILED if that can't be found out, and the storage's error if it was refused. Takes no signal: what has begun is found out.
 */
export async function putVersion({ storage }: Pick<LakeSession, 'storage'>, file: VersionFile): Promise<boolean> {
  /** The last failure after which the file may be there, or may still come. */
  let unanswered: unknown = null
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (attempt > 0) await pause(attempt)
    let failure: unknown = null
    try {
      if (await storage.create(file.path, file.bytes)) return true
    } catch (thrown) {
      failure = thrown
      if (isUnanswered(thrown)) unanswered = thrown
      else if (unanswered === null) throw thrown
    }
    // The answer to an attempt may have been lost: then this file is the one that is there.
    const found = await find(file)
    if (found !== 'none') return found === 'own'
    // On a disk nothing comes later.
    if (failure !== null && !isObjectPath(file.folder)) throw failure
    if (failure !== null && !isUnanswered(failure)) throw isUnknown(file, failure)
  }
  throw isUnknown(file, unanswered)
}

/** Removes the files that a commit has written if its version is not made. After an unknown outcome they stay. */
export async function writeForCommit<T>(
  { storage }: Pick<LakeSession, 'storage'>,
  commit: (write: (path: string, bytes: Uint8Array) => Promise<void>) => Promise<T | null>,
): Promise<T | null> {
  const written: string[] = []
  const removeWritten = async () => {
    for (const path of written) await storage.remove(path)
  }
  try {
    const committed = await commit(async (path, bytes) => {
      // Even if the answer is lost.
      written.push(path)
      // The name is new: a file that is there is the one whose answer was lost.
      await storage.create(path, bytes)
    })
    if (committed === null) await removeWritten()
    return committed
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError && thrown.code === 'TARGET_FAILED')) await removeWritten()
    throw thrown
  }
}

function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof CatalogueError && thrown.code === 'OUTPUT_FAILED'
}

async function find(file: VersionFile): Promise<'own' | 'other' | 'none'> {
  try {
    return await file.find()
  } catch (thrown) {
    throw isUnknown(file, thrown)
  }
}

/** Waits longer after each attempt, and never as long as another writer. */
export async function pause(attempt: number, signal?: AbortSignal): Promise<void> {
  const ms = Math.min(5000, 50 * 2 ** attempt) * (0.5 + Math.random())
  await sleep(ms, undefined, { signal })
}

const mostAttempts = 6

function isUnknown({ folder, version }: VersionFile, cause: unknown): CatalogueError {
  const said = cause instanceof Error ? `: ${cause.message}` : ''
  const message = `${folder}: the commit of version ${version} ended without an answer, and its outcome is unknown${said}`
  return new CatalogueError('TARGET_FAILED', message, {
    cause,
    title: 'A table of a lake could not be loaded',
    fix: 'Check the storage, then run again: the next run finds out, and nothing has to be cleaned up first.',
  })
}
