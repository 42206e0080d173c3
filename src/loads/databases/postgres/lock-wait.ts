import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { CatalogueError, interrupted } from '../../../errors.ts'
import { quoteText } from '../../files/sql-text.ts'
import type { DatabaseSession } from '../sql-dialect.ts'
import { formatSessionColumns, formatServerSession } from './block-watch.ts'
import { readSqlState } from './postgres-failure.ts'

export interface LockingSession extends Pick<DatabaseSession, 'shown' | 'run' | 'rows'> {
  readonly client: pg.Client
  toFailure(thrown: unknown, done: string): CatalogueError
}

export type LockMode = 'ACCESS SHARE' | 'ROW EXCLUSIVE' | 'ACCESS EXCLUSIVE'

export interface LockWaitOptions {
  /** How long one load waits for locks in total. */
  readonly timeoutMs: number
  /** Called with the holders of a lock that has to be waited for: at once, when they change, and every 15 seconds. */
  readonly onWarning?: ((message: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

interface LockedStatement {
  /** Accepts failures that skip the statement instead of being thrown. */
  readonly mayFailWith?: (sqlState: string | null) => boolean
  readonly done?: string
}

/**
 * Waits for locks of tables in short attempts with pauses: a session that asks for a table behind a waiting ALTER TABLE
 * waits only as long as that attempt. Only within a transaction.
 */
export class LockWait {
  readonly #session: LockingSession
  readonly #options: LockWaitOptions
  #leftMs: number

  constructor(session: LockingSession, options: LockWaitOptions) {
    this.#session = session
    this.#options = options
    this.#leftMs = options.timeoutMs
  }

  /**
   * Locks tables until the transaction ends; does nothing for no tables. Throws TARGET_FAILED when the time is over.
   */
  async lock(tables: readonly string[], mode: LockMode): Promise<void> {
    if (tables.length === 0) return
    // The role may lack the right to lock a table that it may write, or the table may be gone: a later statement says so.
    await this.run(`LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`, tables, mode, {
      mayFailWith: (state) => state === '42501' || state === '42P01',
    })
  }

  async run(
    statement: string,
    tables: readonly string[],
    mode: LockMode,
    { mayFailWith = () => false, done = 'could not be loaded' }: LockedStatement = {},
  ): Promise<void> {
    const startedAt = performance.now()
    const leftMs = () => Math.max(0, this.#leftMs - (performance.now() - startedAt))
    const { attemptMs, pauseMs } = mode === 'ACCESS EXCLUSIVE' ? alone : besideReaders
    const report = this.#createReport(tables, mode)
    for (;;) {
      const thrown = await this.#attempt(statement, Math.min(attemptMs, leftMs()))
      if (thrown === null) break
      const state = readSqlState(thrown)
      if (state !== lockNotAvailable && !mayFailWith(state)) throw this.#session.toFailure(thrown, done)
      await this.#session.run(`ROLLBACK TO SAVEPOINT ${savepoint}`)
      if (state !== lockNotAvailable) return
      const holders = await this.#findHolders(tables, mode)
      if (leftMs() === 0) throw this.#toFailure(tables, mode, holders)
      report(holders)
      await this.#pause(Math.min(pauseMs, leftMs()))
    }
    this.#leftMs = leftMs()
  }

  /** Returns what the driver threw; null if the statement succeeded. */
  async #attempt(statement: string, lockTimeoutMs: number): Promise<unknown> {
    const { client } = this.#session
    // 0 would mean no limit.
    const timeout = Math.max(1, Math.ceil(lockTimeoutMs))
    try {
      await client.query(`SAVEPOINT ${savepoint}; SET LOCAL lock_timeout = ${timeout}`)
      await client.query(statement)
      await client.query(`RELEASE SAVEPOINT ${savepoint}; SET LOCAL lock_timeout = ${this.#options.timeoutMs}`)
      return null
    } catch (thrown) {
      return thrown ?? new Error('the driver failed without a reason')
    }
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#options
    try {
      await sleep(ms, undefined, signal && { signal })
    } catch (cause) {
      throw interrupted(`${this.#session.shown}: the run`, { where: ' while it waited for a lock', cause })
    }
  }

  /**
   * The failure of a statement that waited for a row too long, with the sessions that have written to tables of the
   * schema: one of them holds it. Ends the transaction.
   */
  async nameWriters(failure: CatalogueError, schema: string): Promise<CatalogueError> {
    try {
      await this.#session.run('ROLLBACK')
      const writers = `n.nspname = ${quoteText(schema)} AND l.granted AND l.mode <> 'AccessShareLock'`
      const holders = (await this.#listSessions(writers)).map(formatHolder)
      if (holders.length === 0) return failure
      const { code, message, title, fix } = failure
      return new CatalogueError(code, `${message}; got ${formatHolders(holders)}`, { title, fix })
    } catch {
      // The failure of the statement says more than a lost connection here.
      return failure
    }
  }

  /** Sessions with a conflicting lock, else sessions that wait for one before us; one line each. */
  async #findHolders(tables: readonly string[], mode: LockMode): Promise<readonly string[]> {
    const oids = tables.map((table) => `to_regclass(${quoteText(table)})`).join(', ')
    const modes = conflicting[mode].map(quoteText).join(', ')
    const rows = await this.#listSessions(`l.relation IN (${oids}) AND l.mode IN (${modes})`)
    const granted = rows.filter(({ granted: isGranted }) => isGranted === 'true')
    return (granted.length > 0 ? granted : rows).map(formatHolder)
  }

  async #listSessions(condition: string): Promise<readonly SessionRow[]> {
    return this.#session.rows(
      `SELECT ${formatSessionColumns}, l.mode, l.granted::text, quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS relation
      FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
      WHERE l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
        AND c.relkind IN ('r', 'p') AND l.pid IS DISTINCT FROM pg_backend_pid() AND ${condition}
      ORDER BY l.granted DESC, a.xact_start LIMIT 5`,
    )
  }

  #createReport(tables: readonly string[], mode: LockMode): (holders: readonly string[]) => void {
    const { onWarning, timeoutMs } = this.#options
    let last = { text: '', at: 0 }
    return (holders) => {
      const text = formatHolders(holders)
      if (text === last.text && performance.now() - last.at < repeatMs) return
      last = { text, at: performance.now() }
      const most = `${formatSeconds(timeoutMs)} at most`
      onWarning?.(`${this.#session.shown}: waits for ${formatLock(tables, mode)}, ${most}, got ${text}`)
    }
  }

  #toFailure(tables: readonly string[], mode: LockMode, holders: readonly string[]): CatalogueError {
    const { shown } = this.#session
    const most = formatSeconds(this.#options.timeoutMs)
    const message = `${shown}: expected ${formatLock(tables, mode)} within ${most} (lockTimeout), got ${formatHolders(holders)}`
    return new CatalogueError('TARGET_FAILED', message, {
      title: 'A database was locked for too long',
      fix: howToUnlock,
    })
  }
}

export const howToUnlock =
  'Run again when that session has ended its transaction, or end it by `SELECT pg_terminate_backend(…)` with its process. `lockTimeout` of the output says how long to wait.'

export function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`
}

function formatLock(tables: readonly string[], mode: LockMode): string {
  const shown = tables.length > 3 ? `${tables.slice(0, 3).join(', ')} and ${tables.length - 3} more` : tables.join(', ')
  return `the lock ${mode} of ${shown}`
}

type SessionRow = Readonly<Record<string, string | null>>

function formatHolder(row: SessionRow): string {
  return `${formatServerSession(row)}, with ${row.mode} on ${row.relation}`
}

function formatHolders(holders: readonly string[]): string {
  return holders.length === 0 ? 'a session that has just ended' : holders.join('; ')
}

/** SQLSTATE of a statement that waited longer than `lock_timeout`. */
export const lockNotAvailable = '55P03'
const savepoint = 'catalogue_etl_lock'
/** For exclusive locks: while one is waited for, later readers wait, too. */
const alone = { attemptMs: 200, pauseMs: 1000 }
const besideReaders = { attemptMs: 1000, pauseMs: 200 }
const repeatMs = 15_000

const writing = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

const conflicting: Readonly<Record<LockMode, readonly string[]>> = {
  'ACCESS SHARE': ['AccessExclusiveLock'],
  'ROW EXCLUSIVE': writing,
  'ACCESS EXCLUSIVE': ['AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock', ...writing],
}
