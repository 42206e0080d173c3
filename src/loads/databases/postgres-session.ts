import type pg from 'pg'
import type { DatabaseUrl } from '../../config/database-url.ts'
import { CatalogueError } from '../../errors.ts'
import { createPasswordRedaction } from '../../http/redact.ts'
import { quoteText } from '../files/sql-text.ts'
import type { DatabaseTarget } from './database-output.ts'
import { whileWatched } from './block-watch.ts'
import type { DatabaseSession } from './sql-dialect.ts'
import { formatSeconds, howToUnlock, lockNotAvailable, LockWait, type LockWaitOptions } from './lock-wait.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { describePostgresFailure, readSqlState, toOneLine } from './postgres-failure.ts'

type PostgresTarget = Extract<DatabaseTarget, { format: 'postgres' }>

/** A connection to PostgreSQL. After a failure it is good for nothing but `close`. */
export interface PostgresSession extends DatabaseSession {
  readonly client: pg.Client
  /** True where the connection itself has failed, so that the outcome of the last statement is not known. */
  readonly isLost: boolean
  /** Within a transaction. */
  readonly locks: LockWait
  /** Anything that a driver threw, as TARGET_FAILED or TARGET_REFUSED, without the password. */
  toFailure(thrown: unknown, done: string): CatalogueError
  /** Ends the connection, and with it what is not committed. Never rejects. */
  close(): Promise<void>
}

/** Connects. Throws TARGET_FAILED, or TARGET_REFUSED where another try ends the same way. */
export async function openPostgresSession(
  { url, schema, lockTimeoutMs = defaultLockTimeoutMs }: PostgresTarget,
  name: string,
  waiting: Pick<LockWaitOptions, 'onWarning' | 'signal'> = {},
): Promise<PostgresSession> {
  const shown = `${url.shown}, schema "${schema}"`
  const redact = redactPassword(url)
  let lost: { readonly reason: unknown } | null = null
  let timeouts: Timeouts = {}
  let pid = '0'
  const toFailure = (thrown: unknown, done: string) => {
    if (thrown instanceof CatalogueError) return thrown
    // The driver says no more of a connection that the server has ended.
    const reason = readSqlState(thrown) === null && lost !== null ? lost.reason : thrown
    const { said, isLasting, sqlState } = describePostgresFailure(reason)
    const message = `${shown}: ${done}: ${redact(said)}`
    return new CatalogueError(isLasting ? 'TARGET_REFUSED' : 'TARGET_FAILED', message, adviseOn(sqlState, timeouts))
  }
  let client: pg.Client
  try {
    client = await connect(url, name)
    // Without a listener a lost connection would end the process. Whoever uses it next gets the first reason.
    client.on('error', (reason) => (lost ??= { reason }))
    await prepareSession(client)
    timeouts = await limitLockWait(client, lockTimeoutMs)
    pid = (await client.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid')).rows[0]?.pid ?? pid
  } catch (thrown) {
    throw toFailure(thrown, 'could not be connected to')
  }
  const watching = {
    pid,
    connect: () => connectAside(url, name),
    report: (holders: string) => waiting.onWarning?.(`${shown}: waits for what others have locked, got ${holders}`),
  }
  const query = async (sql: string) => {
    try {
      return await whileWatched(() => client.query<Record<string, string | null>>(sql), watching)
    } catch (thrown) {
      const failure = toFailure(thrown, `could not be loaded, at "${toOneLine(sql)}"`)
      throw readSqlState(thrown) === lockNotAvailable ? await locks.nameWriters(failure, schema) : failure
    }
  }
  const session: PostgresSession = {
    dialect: postgresDialect,
    shown,
    client,
    get isLost() {
      return lost !== null
    },
    get locks() {
      return locks
    },
    toFailure,
    awaitReading: (tables) => locks.lock(tables, 'ACCESS SHARE'),
    runAlone: (table, sql) => locks.run(sql, [table], 'ACCESS EXCLUSIVE'),
    run: async (sql) => (await query(sql)).rowCount ?? 0,
    rows: async (sql) => (await query(sql)).rows,
    async readTables(of) {
      const { rows } = await query(formatColumnsQuery(of))
      const tables = new Map<string, Map<string, string>>()
      for (const { table_name: table, column_name: column, column_type: type } of rows) {
        if (!tables.has(table ?? '')) tables.set(table ?? '', new Map())
        if (column !== null && type !== null) tables.get(table ?? '')?.set(column ?? '', type ?? '')
      }
      return tables
    },
    close: () => closeClient(client, () => lost !== null),
  }
  const locks = new LockWait(session, { ...waiting, timeoutMs: timeouts.lock_timeout ?? lockTimeoutMs })
  return session
}

const defaultLockTimeoutMs = 60_000

async function connect(url: DatabaseUrl, name: string): Promise<pg.Client> {
  // Loading the driver takes time that runs without PostgreSQL don't pay.
  const { default: driver } = await import('pg')
  const client = new driver.Client({
    connectionString: withPlainMode(url.text),
    application_name: `catalogue-etl ${name}`.slice(0, 63),
    connectionTimeoutMillis: readConnectTimeoutMs(url) ?? 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  await client.connect()
  return client
}

/** A connection that may end at any time, for questions about the other one. */
async function connectAside(url: DatabaseUrl, name: string): Promise<pg.Client> {
  const client = await connect(url, name)
  client.on('error', () => undefined)
  return client
}

/** The driver takes it from nowhere: seconds, as `psql` has them, where 0 is for ever. */
function readConnectTimeoutMs(url: DatabaseUrl): number | null {
  const written = new URL(url.text).searchParams.get('connect_timeout') ?? process.env['PGCONNECT_TIMEOUT'] ?? ''
  return /^\d{1,6}$/.test(written) ? Number(written) * 1000 : null
}

/** The driver checks the certificate in these modes as in `verify-full`, but warns on stderr, between lines of JSON. */
function withPlainMode(text: string): string {
  const url = new URL(text)
  const { searchParams } = url
  if (searchParams.get('uselibpqcompat') === 'true') return text
  if (!['prefer', 'require', 'verify-ca'].includes(searchParams.get('sslmode') ?? '')) return text
  searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** Makes the meaning of statements independent of settings of a user, a database or the URL; their timeouts stay. */
async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(
    `SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET search_path = pg_catalog;
    SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET default_transaction_isolation = 'read committed';
    SELECT set_config(name, CASE name WHEN 'work_mem' THEN '64MB' ELSE '32MB' END, false) FROM pg_settings
      WHERE name IN ('work_mem', 'temp_buffers') AND source IN ('default', 'configuration file')`,
  )
  // From version 14 on a server can look whether its client is still there, so that a killed load frees its lock.
  const check = `SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`
  // Not on every system, and never needed for what is loaded.
  await client.query(check).catch(() => undefined)
}

/** Milliseconds, by the name of the setting; none where it is off. */
type Timeouts = Readonly<Partial<Record<string, number>>>

/** The setting of the role, the database or the URL counts where it is shorter. */
async function limitLockWait(client: pg.Client, lockTimeoutMs: number): Promise<Timeouts> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE setting <> '0' AND name IN
      ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'idle_session_timeout')`,
  )
  const found: Timeouts = Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  const lockTimeout = Math.min(lockTimeoutMs, found['lock_timeout'] ?? Infinity)
  await client.query(`SET lock_timeout = ${lockTimeout}`)
  return { ...found, lock_timeout: lockTimeout }
}

/** Advice where a timeout ended a statement or the connection. */
function adviseOn(sqlState: string | null, timeouts: Timeouts): { readonly fix?: string; readonly title?: string } {
  if (sqlState === lockNotAvailable) return { title: 'A database was locked for too long', fix: howToUnlock }
  const name = settingOf[sqlState ?? '']
  const milliseconds = name === undefined ? undefined : timeouts[name]
  if (name === undefined || milliseconds === undefined) return {}
  const where = `by the role (ALTER ROLE … SET ${name} = …), or for this load in the URL (?options=-c%20${name}%3D10min)`
  return {
    title: 'A timeout of the database ended the load',
    fix: `${name} of this connection is ${formatSeconds(milliseconds)}, which counts for loads, too. Run again where the server was only busy, else set it higher ${where}.`,
  }
}

const settingOf: Readonly<Record<string, string>> = {
  '57014': 'statement_timeout',
  '25P03': 'idle_in_transaction_session_timeout',
  '25P04': 'transaction_timeout',
  '57P05': 'idle_session_timeout',
}

function formatColumnsQuery(schema: string): string {
  return `SELECT c.relname::text AS table_name, a.attname::text AS column_name, format_type(a.atttypid, a.atttypmod) AS column_type
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = ${quoteText(schema)} AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`
}

/** Never waits for a running statement: then the connection is cut, which undoes as well. */
async function closeClient(client: pg.Client, isLost: () => boolean): Promise<void> {
  if (isLost()) return
  const ended = client.end().catch(() => undefined)
  const timeout = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 2000).unref())
  if ((await Promise.race([ended, timeout])) === 'late') client.connection.stream.destroy()
}

function redactPassword(url: DatabaseUrl): (text: string) => string {
  const { password, searchParams } = new URL(url.text)
  const passwords = [password, decode(password), searchParams.get('password') ?? ''].filter((each) => each !== '')
  const redactions = [...new Set(passwords)].map(createPasswordRedaction)
  return (text) => redactions.reduce((shown, redact) => redact(shown), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
