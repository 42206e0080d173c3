import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { type Action, formatActions } from './actions.ts'
import type { LakeSession } from '../lake-session.ts'
import { commitPath, listLogFiles } from './log-files.ts'
import { readCommit } from './read-log.ts'

export interface TableCommit {
  readonly folder: string
  /** Unique to the commit: `commitInfo.txnId`. */
  readonly token: string
  readonly version: number
  readonly actions: readonly Action[]
}

/**
 * Puts a commit into the log, if there is none of its version. Returns false if another one is there; it then has no effect. Throws
 * TARGET_FAILED if that can't be found out, and the storage's error if it was refused. Takes no signal: what has begun is found out.
 */
export async function tryCommit(session: LakeSession, commit: TableCommit): Promise<boolean> {
  const { folder, version, actions } = commit
  const bytes = formatActions(actions)
  /** The last failure after which the commit may be there, or may still come. */
  let unanswered: unknown = null
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (attempt > 0) await pause(attempt)
    let failure: unknown = null
    try {
      if (await session.storage.create(commitPath(folder, version), bytes)) return true
    } catch (thrown) {
      failure = thrown
      if (isUnanswered(thrown)) unanswered = thrown
      else if (unanswered === null) throw thrown
    }
    // The answer to an attempt may have been lost: then this commit is the one that is there.
    const found = await findCommit(session, commit)
    if (found !== 'none') return found === 'own'
    // On a disk nothing comes later.
    if (failure !== null && !isObjectPath(folder)) throw failure
    if (failure !== null && !isUnanswered(failure)) throw isUnknown(folder, version, failure)
  }
  throw isUnknown(folder, version, unanswered)
}

function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof CatalogueError && thrown.code === 'OUTPUT_FAILED'
}

async function findCommit(
  session: LakeSession,
  { folder, token, version }: TableCommit,
): Promise<'own' | 'other' | 'none'> {
  try {
    const { commits } = await listLogFiles(session.storage, folder)
    if (!commits.includes(version)) return 'none'
    const actions = await readCommit(session, folder, version)
    return actions.some(({ commitInfo }) => commitInfo?.txnId === token) ? 'own' : 'other'
  } catch (thrown) {
    throw isUnknown(folder, version, thrown)
  }
}

/** Waits longer after each attempt, and never as long as another writer. */
export async function pause(attempt: number, signal?: AbortSignal): Promise<void> {
  const ms = Math.min(5000, 50 * 2 ** attempt) * (0.5 + Math.random())
  await sleep(ms, undefined, { signal })
}

const mostAttempts = 6

function isUnknown(folder: string, version: number, cause: unknown): CatalogueError {
  const said = cause instanceof Error ? `: ${cause.message}` : ''
  const message = `${folder}: the commit of version ${version} ended without an answer, and its outcome is unknown${said}`
  return new CatalogueError('TARGET_FAILED', message, {
    cause,
    title: 'A table of a lake could not be loaded',
    fix: 'Check the storage, then run again: the next run finds out, and nothing has to be cleaned up first.',
  })
}
