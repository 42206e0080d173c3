import type { LakeSession } from '../lake-format.ts'
import { putVersion } from '../put-version.ts'
import { type Action, formatActions } from './actions.ts'
import { commitPath, listLogFiles } from './log-files.ts'
import { readCommit } from './read-log.ts'

export interface TableCommit {
  readonly folder: string
  /** Unique to the commit. */
  readonly txnId: string
  readonly version: number
  readonly actions: readonly Action[]
}

/** Puts a commit into the log, as `putVersion` does. */
export function tryCommit(session: LakeSession, { folder, txnId, version, actions }: TableCommit): Promise<boolean> {
  return putVersion(session, {
    folder,
    version,
    path: commitPath(folder, version),
    bytes: formatActions(actions),
    async find() {
      const { commits } = await listLogFiles(session.storage, folder)
      if (!commits.includes(version)) return 'none'
      const there = await readCommit(session, folder, version)
      return there.some(({ commitInfo }) => commitInfo?.txnId === txnId) ? 'own' : 'other'
    },
  })
}
