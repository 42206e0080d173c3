import type pg from 'pg'
import type { DatabaseUrl } from '../config/database-url.ts'
import { CatalogueError } from '../errors.ts'
import { createPasswordConcealment } from '../service/conceal-password.ts'
import { quoteText } from '../settle/sql-text.ts'
import type { DatabaseSession } from './database-session.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { describePostgresFailure, toOneLine } from './postgres-failure.ts'

/** A connection to PostgreSQL. After a failure it is good for nothing but `close`. */
export interface PostgresSession extends DatabaseSession {
  readonly client: pg.Client
  /** Whether the connection itself has failed, so that nobody knows what became of the last statement. */
  readonly isLost: boolean
  /** Anything that a driver threw, as TARGET_FAILED or TARGET_REFUSED, without the password. */
  toFailure(thrown: unknown, done: string): CatalogueError
  /** Ends the connection, and with it what is not committed. Never rejects. */
  close(): Promise<void>
}

/** Connects. Throws TARGET_FAILED, or TARGET_REFUSED where another try ends the same way. */
export async function openPostgresSession(url: DatabaseUrl, schema: string, name: string): Promise<PostgresSession> {
  const shown = `${url.shown}, schema "${schema}"`
  const conceal = concealPassword(url)
  const toFailure = (thrown: unknown, done: string) => {
    if (thrown instanceof CatalogueError) return thrown
    const { said, isLasting } = describePostgresFailure(thrown)
    return new CatalogueError(isLasting ? 'TARGET_REFUSED' : 'TARGET_FAILED', `${shown}: ${done}: ${conceal(said)}`)
  }
  let isLost = false
  let client: pg.Client
  try {
    client = await connect(url, name)
    // Without a listener a lost connection would end the process. Whoever uses it next is told.
    client.on('error', () => (isLost = true))
    await prepareSession(client)
  } catch (thrown) {
    throw toFailure(thrown, 'could not be connected to')
  }
  const query = async (sql: string) => {
    try {
      return await client.query<Record<string, string | null>>(sql)
    } catch (thrown) {
      throw toFailure(thrown, `could not be loaded, at "${toOneLine(sql)}"`)
    }
  }
  return {
    dialect: postgresDialect,
    shown,
    client,
    get isLost() {
      return isLost
    },
    toFailure,
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
    close: () => closeClient(client, () => isLost),
  }
}

async function connect(url: DatabaseUrl, name: string): Promise<pg.Client> {
  // Loading the driver takes time that runs without PostgreSQL don't pay.
  const { default: driver } = await import('pg')
  const client = new driver.Client({
    connectionString: withPlainMode(url.text),
    application_name: `catalogue-etl ${name}`.slice(0, 63),
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  await client.connect()
  return client
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

/** A load lasts as long as its stream, mostly waiting for it; and settings of a user or a database must not bend it. */
async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(
    `SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET search_path = pg_catalog;
    SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET default_transaction_isolation = 'read committed';
    SET temp_buffers = '32MB'; SET work_mem = '64MB'`,
  )
  // From version 14 on a server can look whether its client is still there, so that a killed load frees its lock.
  const check = `SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'`
  // Not on every system, and never needed for what is loaded.
  await client.query(check).catch(() => undefined)
}

function formatColumnsQuery(schema: string): string {
  return `SELECT c.relname::text AS table_name, a.attname::text AS column_name, format_type(a.atttypid, a.atttypmod) AS column_type
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = ${quoteText(schema)} AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum`
}

/** Never waits for a statement that goes on: then the connection is cut, which undoes as well. */
async function closeClient(client: pg.Client, isLost: () => boolean): Promise<void> {
  if (isLost()) return
  const ended = client.end().catch(() => undefined)
  const timeout = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 2000).unref())
  if ((await Promise.race([ended, timeout])) === 'late') client.connection.stream.destroy()
}

function concealPassword(url: DatabaseUrl): (text: string) => string {
  const { password, searchParams } = new URL(url.text)
  const passwords = [password, decode(password), searchParams.get('password') ?? ''].filter((each) => each !== '')
  const concealments = [...new Set(passwords)].map(createPasswordConcealment)
  return (text) => concealments.reduce((shown, conceal) => conceal(shown), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
