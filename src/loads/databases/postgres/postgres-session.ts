import type pg from 'pg'
import { CatalogueError } from '../../../errors.ts'
import { quoteName, quoteText } from '../../files/sql-text.ts'
import type { DatabaseTarget } from '../database-output.ts'
import { whileWatched } from './block-watch.ts'
import { redactPassword } from '../redact-password.ts'
import { closeClient, connect, connectAside } from './postgres-connection.ts'
import type { ServerSession } from '../commit-load.ts'
import type { UniqueKey } from '../sql-dialect.ts'
import { formatSeconds, howToUnlock, lockNotAvailable, LockWait, type LockWaitOptions } from './lock-wait.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { withService } from './postgres-service.ts'
import { describePostgresFailure, readSqlState, toOneLine } from './postgres-failure.ts'

type PostgresTarget = Extract<DatabaseTarget, { format: 'postgres' }>

/**
 * A connection to PostgreSQL, in a transaction: settings last no longer, as behind a pooler the next transaction may be
 * another program's. After a failure, only `close` may be called.
 */
export interface PostgresSession extends ServerSession {
  readonly client: pg.Client
  /** Begins a transaction after another one has ended. */
  beginNext(): Promise<void>
  readonly locks: LockWait
}

export interface SessionOptions extends Pick<LockWaitOptions, 'onWarning' | 'signal'> {
  /** Reads from one snapshot, and writes nothing. Default false. */
  readonly readsOnly?: boolean
}

/** Connects and begins a transaction. Throws TARGET_FAILED, or TARGET_REFUSED if another try ends the same way. */
export async function openPostgresSession(
  { url: address, schema, lockTimeoutMs = defaultLockTimeoutMs }: PostgresTarget,
  name: string,
  { readsOnly = false, ...waiting }: SessionOptions = {},
): Promise<PostgresSession> {
  const url = await withService(address)
  const shown = `${url.shown}, schema "${schema}"`
  const redact = redactPassword(url)
  let lost: { readonly reason: unknown } | null = null
  let timeouts: Timeouts = {}
  let pid = '0'
  const toFailure = (thrown: unknown, done: string) => {
    if (thrown instanceof CatalogueError) return thrown
    // The driver gives no further reason if the server has ended the connection.
    const reason = readSqlState(thrown) === null && lost !== null ? lost.reason : thrown
    const { said, isLasting, sqlState } = describePostgresFailure(reason)
    const message = `${shown}: ${done}: ${redact(said)}`
    return new CatalogueError(isLasting ? 'TARGET_REFUSED' : 'TARGET_FAILED', message, adviseOn(sqlState, timeouts))
  }
  const client = await connect(url, name, waiting.signal).catch((thrown: unknown) => {
    throw toFailure(thrown, 'could not be connected to')
  })
  // Without a listener a lost connection would end the process. The next statement fails with the first reason.
  client.on('error', (reason) => (lost ??= { reason }))
  const begin = async () => {
    try {
      await client.query(
        `BEGIN ISOLATION LEVEL ${readsOnly ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'}; ${plainSettings}`,
      )
      const prepared = await prepareTransaction(client, lockTimeoutMs)
      timeouts = prepared.timeouts
      pid = prepared.pid
    } catch (thrown) {
      await closeClient(client)
      throw toFailure(thrown, 'its transaction could not begin')
    }
  }
  await begin()
  const watched = (sql: string) =>
    whileWatched(() => client.query<Record<string, string | null>>(sql), {
      pid,
      connect: (signal) => connectAside(url, name, signal),
      report: (holders) => waiting.onWarning?.(`${shown}: waits for what others have locked, got ${holders}`),
    })
  const query = async (sql: string) => {
    try {
      return await watched(sql)
    } catch (thrown) {
      const failure = toFailure(thrown, `could not be loaded, at "${toOneLine(sql)}"`)
      throw readSqlState(thrown) === lockNotAvailable ? await locks.nameWriters(failure, schema) : failure
    }
  }
  const session: PostgresSession = {
    dialect: postgresDialect,
    shown,
    client,
    beginNext: begin,
    // The transaction of a load has begun before.
    begin: () => Promise.resolve(),
    get isLost() {
      return lost !== null
    },
    get locks() {
      return locks
    },
    toFailure,
    awaitReading: (tables) => locks.lock(tables, 'ACCESS SHARE'),
    runAlone: (table, sql) => locks.run(sql, [table], 'ACCESS EXCLUSIVE'),
    async addKey(table, columns) {
      await client.query('SAVEPOINT keyed')
      try {
        const key = columns.map(quoteName).join(', ')
        await locks.run(`ALTER TABLE ${table} ADD PRIMARY KEY (${key})`, [table], 'ACCESS EXCLUSIVE', {
          done: `${table} got no primary key`,
        })
        return true
      } catch (thrown) {
        if (!(thrown instanceof CatalogueError) || thrown.code === 'INTERRUPTED' || lost !== null) throw thrown
        await client.query('ROLLBACK TO SAVEPOINT keyed')
        waiting.onWarning?.(`${thrown.message}; the next full load tries again to give ${table} its primary key`)
        return false
      }
    },
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
    async readUniqueKeys(of) {
      const keys = new Map<string, UniqueKey[]>()
      for (const { table_name: table, columns, is_primary: isPrimary } of (await query(formatKeysQuery(of))).rows) {
        const key = { columns: JSON.parse(columns ?? '[]') as string[], isPrimary: isPrimary === 'true' }
        keys.set(table ?? '', [...(keys.get(table ?? '') ?? []), key])
      }
      return keys
    },
    async readOtherKinds(of) {
      const { rows } = await query(
        `SELECT c.relname::text AS name, c.relkind::text AS kind FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = ${quoteText(of)} AND c.relkind NOT IN ('r', 'p')`,
      )
      return new Map(rows.map((row) => [row.name ?? '', otherKinds[row.kind ?? ''] ?? 'something else']))
    },
    close: () => closeClient(client),
  }
  const locks = new LockWait(session, { ...waiting, timeoutMs: timeouts.lock_timeout ?? lockTimeoutMs })
  return session
}

const defaultLockTimeoutMs = 60_000

/** Makes the meaning of statements independent of settings of a user, a database or the URL. */
const plainSettings = `SET LOCAL client_encoding = 'UTF8'; SET LOCAL standard_conforming_strings = on;
  SET LOCAL TIME ZONE 'UTC'; SET LOCAL datestyle = 'ISO'`

/** Milliseconds by setting; absent if it is off. */
type Timeouts = Readonly<Partial<Record<string, number>>>

async function prepareTransaction(
  client: pg.Client,
  lockTimeoutMs: number,
): Promise<{ readonly timeouts: Timeouts; readonly pid: string }> {
  const { rows } = await client.query<{ name: string; setting: string | null; pid: string }>(
    `SELECT name, extract(epoch FROM current_setting(name, true)::interval) * 1000 AS setting, pg_backend_pid()::text AS pid
    FROM unnest(ARRAY['lock_timeout', ${Object.values(settingOf).map(quoteText).join(', ')}]) AS settings(name)`,
  )
  const found: Timeouts = Object.fromEntries(
    rows.filter(({ setting }) => Number(setting) > 0).map(({ name, setting }) => [name, Number(setting)]),
  )
  // The setting of the role, the database or the URL counts if it is shorter.
  const lockTimeout = Math.min(lockTimeoutMs, found['lock_timeout'] ?? Infinity)
  await client.query(`SET LOCAL lock_timeout = ${lockTimeout}; SAVEPOINT prepared`)
  // Since version 14 a server can check whether its client still exists. A killed load then frees its lock.
  const wished = `SELECT set_config(name, CASE name WHEN 'work_mem' THEN '64MB' ELSE '1000' END, true) FROM pg_catalog.pg_settings
    WHERE name = 'client_connection_check_interval' OR (name = 'work_mem' AND source IN ('default', 'configuration file'))`
  // Not every system or role allows these settings; the result does not depend on them.
  await client.query(wished).catch(() => client.query('ROLLBACK TO SAVEPOINT prepared'))
  return { timeouts: { ...found, lock_timeout: lockTimeout }, pid: rows[0]?.pid ?? '0' }
}

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
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = ${quoteText(schema)} AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`
}

const otherKinds: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  S: 'a sequence',
  i: 'an index',
  I: 'an index',
  c: 'a type',
}

/** Selects keys that cover every row, and consist of columns alone. */
function formatKeysQuery(schema: string): string {
  return `SELECT c.relname::text AS table_name, json_agg(a.attname)::text AS columns, i.indisprimary::text AS is_primary
    FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
    WHERE n.nspname = ${quoteText(schema)} AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
    GROUP BY c.relname, i.indexrelid, i.indisprimary`
}
