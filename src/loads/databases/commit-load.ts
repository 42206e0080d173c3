import type { CatalogueError } from '../../errors.ts'
import { quoteText } from '../files/sql-text.ts'
import type { DatabaseLoad, DatabaseOutputPlan } from './database-output.ts'
import type { DatabaseSession } from './sql-dialect.ts'
import { runsTable } from './state-tables.ts'

/** A session with a server, which may be lost. */
export interface ServerSession extends DatabaseSession {
  /** True if the connection itself has failed, so that the outcome of the last statement is unknown. */
  readonly isLost: boolean
  /** Turns an error of the driver into TARGET_FAILED or TARGET_REFUSED, without the password. */
  toFailure(thrown: unknown, done: string): CatalogueError
  /** Ends the connection, and rolls back its transaction. Never rejects. */
  close(): Promise<void>
}

export interface CommitTerms<Session> {
  readonly plan: DatabaseOutputPlan
  readonly load: DatabaseLoad | null
  readonly connect: () => Promise<Session>
  /** Waits for the lock of the pipeline, which the session of a load holds until its end. */
  readonly lock: (session: Session, waitMs: number) => Promise<void>
}

/** Commits. If the connection is lost, another one waits for the transaction's end and reads its outcome. */
export async function commitLoad<Session extends ServerSession>(
  session: Session,
  { load, ...terms }: CommitTerms<Session>,
): Promise<void> {
  try {
    await session.run('COMMIT')
  } catch (thrown) {
    if (!session.isLost || load === null) throw thrown
    const isThere = await isCommitted(load, terms).catch((later: unknown) => {
      const failure = session.toFailure(thrown, 'could not be loaded, at "COMMIT"')
      const { message } = session.toFailure(later, 'could not be read')
      throw failure.withMore(`; and its outcome is unknown: ${message}`).withOutputs(unconfirmed)
    })
    if (!isThere) throw thrown
  }
}

/** The same source gives the same run id: only with its start does it identify a run. */
async function isCommitted<Session extends ServerSession>(
  { runId, startedAt }: DatabaseLoad,
  { plan, connect, lock }: Omit<CommitTerms<Session>, 'load'>,
): Promise<boolean> {
  const session = await connect()
  try {
    await lock(session, commitWaitMs)
    const start = session.dialect.formatDateTime(startedAt)
    const found = await session.rows(
      `SELECT run_id FROM ${runsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)} AND run_id = ${quoteText(runId)} AND started_at = ${start}`,
    )
    return found.length > 0
  } finally {
    await session.close()
  }
}

const unconfirmed = 'The load may be in the database; the next run finds out.'
const commitWaitMs = 60_000
