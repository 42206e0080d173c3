import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError, isError } from '../errors.ts'
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

/** Makes a version by its file, as `putCommit` does. */
export function putVersion({ storage }: Pick<LakeSession, 'storage'>, file: VersionFile): Promise<boolean> {
  const { folder, version, path, bytes } = file
  return putCommit({
    shown: `${folder}: the commit of version ${version}`,
    put: () => storage.create(path, bytes),
    find: file.find,
    mayComeLater: isObjectPath(folder),
    isRefusalFinal: false,
  })
}

export interface PutCommit {
  /** For messages. */
  readonly shown: string
  /** Returns false if another commit came first. After OUTPUT_FAILED or TARGET_FAILED this one may be there. */
  readonly put: () => Promise<boolean>
  readonly find: VersionFile['find']
  /** Whether false is final if no other commit is found: a file that is refused as it is there should be found. */
  readonly isRefusalFinal: boolean
  /** Whether a commit that has failed may still take effect. */
  readonly mayComeLater: boolean
}

/**
 * Makes a commit, if none came first. Returns false if another one did; this one then has no effect. Throws TARGET_FAILED if that
 * can't be found out, and the error of `put` if it was refused. Takes no signal: what has begun is found out.
 */
export async function putCommit(commit: PutCommit): Promise<boolean> {
  /** The last failure after which the commit may be there, or may still come. */
  let unanswered: unknown = null
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (attempt > 0) await pause(attempt)
    let failure: unknown = null
    try {
      if (await commit.put()) return true
    } catch (thrown) {
      failure = thrown
      if (isUnanswered(thrown)) unanswered = thrown
      else if (unanswered === null) throw thrown
    }
    // The answer to an attempt may have been lost: then this commit is the one that is there.
    const found = await find(commit)
    if (found !== 'none') return found === 'own'
    if (failure === null && unanswered === null && commit.isRefusalFinal) return false
    // On a disk nothing comes later.
    if (failure !== null && !commit.mayComeLater) throw failure
    if (failure !== null && !isUnanswered(failure)) throw isUnknown(commit, failure)
  }
  throw isUnknown(commit, unanswered)
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
  return thrown instanceof CatalogueError && (thrown.code === 'OUTPUT_FAILED' || thrown.code === 'TARGET_FAILED')
}

async function find(commit: PutCommit): Promise<'own' | 'other' | 'none'> {
  try {
    return await commit.find()
  } catch (thrown) {
    throw isUnknown(commit, thrown)
  }
}

/** Waits longer after each attempt, and never as long as another writer. */
export async function pause(attempt: number, signal?: AbortSignal): Promise<void> {
  const ms = Math.min(5000, 50 * 2 ** attempt) * (0.5 + Math.random())
  await sleep(ms, undefined, { signal })
}

const mostAttempts = 6

function isUnknown({ shown }: PutCommit, cause: unknown): CatalogueError {
  const said = isError(cause) ? `: ${cause.message}` : ''
  const message = `${shown} ended without an answer, and its outcome is unknown${said}`
  return new CatalogueError('TARGET_FAILED', message, {
    cause,
    title: 'A table of a lake could not be loaded',
    fix: 'Check the storage, or the catalog, then run again: the next run finds out, and nothing has to be cleaned up first.',
  })
}

export function tooBusy(folder: string, attempts: number): CatalogueError {
  const message = `${folder}: expected to come first with a commit, but others did ${attempts} times`
  return new CatalogueError('TARGET_FAILED', message, {
    title: 'A table of a lake could not be changed',
    fix: 'Run again when fewer others write to the table.',
  })
}
