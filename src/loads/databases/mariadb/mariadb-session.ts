import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError, interrupted, isError } from '../../../errors.ts'
import { quoteName, quoteText } from '../../files/sql-text.ts'
import type { DatabaseTarget } from '../database-output.ts'
import { redactPassword } from '../redact-password.ts'
import type { ServerSession } from '../commit-load.ts'
import type { UniqueKey } from '../sql-dialect.ts'
import { connect, type MariadbConnection } from './mariadb-connection.ts'
import { exactCollation, mariadbDialect } from './mariadb-dialect.ts'
import { describeMariadbFailure, lockWaitTimeout, toOneLine } from './mariadb-failure.ts'

type MariadbTarget = Extract<DatabaseTarget, { format: 'mariadb' }>

/**
 * A connection to MariaDB. Each statement that defines tables commits; `begin` starts the transaction of the rows. After a
 * failure, only `close` may be called.
 */
export interface MariadbSession extends ServerSession {
  /** The longest statement that the server takes, in bytes. */
  readonly mostBytes: number
}

export interface SessionOptions {
  readonly onWarning?: ((message: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Reads from one snapshot, and writes nothing. Default false. */
  readonly readsOnly?: boolean
}

/** Connects. Throws TARGET_FAILED, or TARGET_REFUSED if another try ends the same way, such as with a server that is not MariaDB. */
export async function openMariadbSession(
  { url, lockTimeoutMs = defaultLockTimeoutMs }: MariadbTarget,
  pipeline: string,
  { readsOnly = false, signal, onWarning }: SessionOptions = {},
): Promise<MariadbSession> {
  const shown = url.shown
  const redact = redactPassword(url)
  const toFailure = (thrown: unknown, done: string, advice: Advice = {}) => {
    if (thrown instanceof CatalogueError) return thrown
    const { said, isLasting } = describeMariadbFailure(thrown)
    const code = isLasting ? 'TARGET_REFUSED' : 'TARGET_FAILED'
    return new CatalogueError(code, `${shown}: ${done}: ${redact(said)}`, advice)
  }
  const connection = await connect(url, pipeline, signal).catch((thrown: unknown) => {
    const lacksLogin = isError(thrown) && 'code' in thrown && thrown.code === unknownLogin
    throw toFailure(thrown, 'could not be connected to', lacksLogin ? { fix: otherLogin } : {})
  })
  let leftMs = lockTimeoutMs

  /** Runs a statement again while a lock keeps it waiting, until the time of the load is over. */
  async function waiting<Result>(sql: string, act: () => Promise<Result>, pauseMs = 0): Promise<Result> {
    let last = ''
    for (;;) {
      const startedAt = performance.now()
      try {
        return await act()
      } catch (thrown) {
        if (describeMariadbFailure(thrown).code !== lockWaitTimeout) throw toFailure(thrown, atStatement(sql))
        const holders = await listHolders(connection)
        leftMs -= performance.now() - startedAt + pauseMs
        if (leftMs <= 0 || rollsBack)
          throw toFailure(thrown, `${atStatement(sql)}, with ${holders}`, {
            title: 'A database was locked for too long',
            fix: 'Run again when that session has ended its transaction, or end it by `KILL …` with its number. `lockTimeout` of the output says how long to wait.',
          })
        if (holders !== last)
          onWarning?.(`${shown}: waits for a lock, ${Math.ceil(lockTimeoutMs / 1000)} s at most, got ${holders}`)
        last = holders
        await pause(pauseMs)
      }
    }
  }
  const pause = async (ms: number) => {
    try {
      await sleep(ms, undefined, signal && { signal })
    } catch (cause) {
      throw interrupted(`${shown}: the run`, { where: ' while it waited for a lock', cause })
    }
  }
  const rows = (sql: string) => waiting(sql, () => connection.rows(sql))
  const run = (sql: string) => waiting(sql, () => connection.run(sql))
  let facts: ServerFacts
  try {
    facts = await prepare(connection, lockTimeoutMs, readsOnly, shown)
  } catch (thrown) {
    await connection.close()
    throw toFailure(thrown, 'could not be used')
  }
  const { mostBytes, rollsBack } = facts
  const mapNames = <Value>() => (facts.foldsTables ? new FoldedMap<Value>() : new Map<string, Value>())
  const runAlone = async (_: string, sql: string) => {
    // Readers of the table wait behind this statement: no longer than a second.
    await run(`SET SESSION lock_wait_timeout = 1`)
    await waiting(sql, () => connection.run(sql), alonePauseMs)
    await run(`SET SESSION lock_wait_timeout = ${attemptSeconds(lockTimeoutMs)}`)
  }
  return {
    dialect: mariadbDialect,
    shown,
    get isLost() {
      return connection.isLost
    },
    mostBytes,
    toFailure,
    run,
    rows,
    begin: async () => void (await run('START TRANSACTION')),
    runAlone,
    async addKey(table, columns) {
      try {
        await runAlone(table, `ALTER TABLE ${table} ADD PRIMARY KEY (${columns.map(quoteName).join(', ')})`)
        return true
      } catch (thrown) {
        if (!(thrown instanceof CatalogueError) || thrown.code !== 'TARGET_REFUSED') throw thrown
        onWarning?.(`${thrown.message}; the next full load tries again to give ${table} its primary key`)
        return false
      }
    },
    awaitReading: () => Promise.resolve(),
    async readTables(of) {
      const tables = mapNames<Map<string, string>>()
      const collated = `CASE WHEN c.collation_name <> '${exactCollation}' THEN concat(' COLLATE ', c.collation_name) ELSE '' END`
      const columns = await rows(
        `SELECT t.table_name AS of_table, c.column_name AS of_column, concat(c.column_type, coalesce(${collated}, '')) AS type
        FROM information_schema.tables AS t JOIN information_schema.columns AS c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
        WHERE t.table_schema = ${quoteText(of)} AND t.table_type = 'BASE TABLE' ORDER BY t.table_name, c.ordinal_position`,
      )
      for (const { of_table: table, of_column: column, type } of columns) {
        if (!tables.has(table ?? '')) tables.set(table ?? '', new Map())
        tables.get(table ?? '')?.set(column ?? '', type ?? '')
      }
      return tables
    },
    async readUniqueKeys(of) {
      const keys = mapNames<UniqueKey[]>()
      const found = await rows(
        `SELECT table_name AS of_table, index_name AS of_index, group_concat(column_name ORDER BY seq_in_index SEPARATOR '\n') AS columns
        FROM information_schema.statistics WHERE table_schema = ${quoteText(of)} AND non_unique = 0
        GROUP BY table_name, index_name HAVING sum(sub_part IS NOT NULL) = 0`,
      )
      for (const { of_table: table, of_index: index, columns } of found) {
        const key = { columns: (columns ?? '').split('\n'), isPrimary: index === 'PRIMARY' }
        keys.set(table ?? '', [...(keys.get(table ?? '') ?? []), key])
      }
      return keys
    },
    async readOtherKinds(of) {
      const found = await rows(
        `SELECT table_name AS name, table_type AS type, engine FROM information_schema.tables
        WHERE table_schema = ${quoteText(of)} AND (table_type NOT IN ('BASE TABLE', 'TEMPORARY') OR engine <> 'InnoDB')`,
      )
      const kinds = mapNames<string>()
      for (const { name, type, engine } of found) kinds.set(name ?? '', describeKind(type ?? '', engine))
      return kinds
    },
    close: () => connection.close(),
  }
}

/** Takes names that differ in capitals alone for the same. */
class FoldedMap<Value> extends Map<string, Value> {
  override get(name: string) {
    return super.get(name.toLowerCase())
  }

  override has(name: string) {
    return super.has(name.toLowerCase())
  }

  override set(name: string, value: Value) {
    return super.set(name.toLowerCase(), value)
  }
}

interface Advice {
  readonly title?: string
  readonly fix?: string
}

interface ServerFacts {
  readonly mostBytes: number
  /** A statement that waits too long ends the whole transaction. */
  readonly rollsBack: boolean
  /** Names of tables are the same whether or not they differ in capitals. */
  readonly foldsTables: boolean
}

/**
 * Names are in double quotes, backslashes are ordinary characters, and no value is changed to fit. Rows for `InsertQueue`
 * are written with backslashes as escapes.
 */
const strictMode = 'STRICT_ALL_TABLES,ANSI_QUOTES,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,NO_ZERO_IN_DATE'
export const plainMode = `${strictMode},NO_BACKSLASH_ESCAPES`
export const escapingMode = strictMode

/** Makes the meaning of statements independent of settings of the server. Throws if the server is not MariaDB 10.6 or newer. */
async function prepare(
  connection: MariadbConnection,
  lockTimeoutMs: number,
  readsOnly: boolean,
  shown: string,
): Promise<ServerFacts> {
  const [found] = await connection.rows(
    `SELECT version() AS version, @@max_allowed_packet AS most_bytes, @@innodb_rollback_on_timeout AS rolls_back,
      @@lower_case_table_names AS folds, @@log_bin AND @@sql_log_bin AND @@binlog_format = 'STATEMENT' AS logs_statements`,
  )
  const { version = '', most_bytes: mostBytes, rolls_back: rollsBack, folds, logs_statements: logs } = found ?? {}
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? []
  if (!version?.includes('MariaDB') || major * 1000 + minor < 10_006)
    throw new CatalogueError('TARGET_REFUSED', `${shown}: expected MariaDB 10.6 or newer, got version ${version}`, {
      fix: 'MySQL and older servers lack what a load needs, such as a temporary table that a statement reads twice: use MariaDB, or publish files and load these.',
    })
  if (logs === '1' && !readsOnly)
    throw new CatalogueError('TARGET_REFUSED', `${shown}: expected binlog_format MIXED or ROW, got STATEMENT`, {
      fix: "Run `SET GLOBAL binlog_format = 'MIXED'`, and set it in the configuration of the server: InnoDB writes no transaction of READ COMMITTED, which a load is, to a log of statements.",
    })
  const seconds = attemptSeconds(lockTimeoutMs)
  await connection.run(`SET NAMES utf8mb4 COLLATE ${exactCollation}`)
  await connection.run(
    `SET SESSION sql_mode = '${plainMode}', SESSION time_zone = '+00:00', SESSION autocommit = 1, SESSION sql_auto_is_null = 0,
      SESSION sql_safe_updates = 0, SESSION sql_big_selects = 1, SESSION sql_select_limit = 18446744073709551615,
      SESSION group_concat_max_len = 1000000, SESSION foreign_key_checks = 1, SESSION unique_checks = 1,
      SESSION innodb_lock_wait_timeout = ${seconds}, SESSION lock_wait_timeout = ${seconds},
      SESSION wait_timeout = 86400, SESSION net_read_timeout = 600, SESSION net_write_timeout = 600`,
  )
  await connection.run(
    `SET SESSION TRANSACTION ISOLATION LEVEL ${readsOnly ? 'REPEATABLE READ' : 'READ COMMITTED'}, READ WRITE`,
  )
  if (readsOnly) await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
  return { mostBytes: Number(mostBytes), rollsBack: rollsBack === '1', foldsTables: folds !== '0' }
}

const unknownLogin = 'AUTH_SWITCH_PLUGIN_ERROR'
const otherLogin =
  "Let the user log in by a password: `ALTER USER … IDENTIFIED VIA mysql_native_password USING PASSWORD('…')`."
const defaultLockTimeoutMs = 60_000
const alonePauseMs = 1000

/** How long one attempt waits, in whole seconds: then the holders of the lock are named, and another one begins. */
function attemptSeconds(lockTimeoutMs: number): number {
  return Math.max(1, Math.min(5, Math.ceil(lockTimeoutMs / 1000)))
}

/** Other sessions with a transaction, as far as this user sees them. Never rejects. */
async function listHolders(connection: MariadbConnection): Promise<string> {
  try {
    const found = await connection.rows(
      `SELECT p.id, p.user, p.host, p.command, t.trx_started AS since FROM information_schema.innodb_trx AS t
      JOIN information_schema.processlist AS p ON p.id = t.trx_mysql_thread_id WHERE p.id <> connection_id() ORDER BY t.trx_started LIMIT 5`,
    )
    if (found.length > 0) return found.map(formatHolder).join('; ')
  } catch {
    // The user may lack the right PROCESS.
  }
  return 'a session that this user does not see (the right PROCESS shows it)'
}

function formatHolder({ id, user, host, command, since }: Readonly<Record<string, string | null>>): string {
  return `session ${id} of "${user}" from ${host}, ${command?.toLowerCase()}, since ${since}`
}

function describeKind(type: string, engine: string | null | undefined): string {
  if (type === 'BASE TABLE') return `a table of the engine ${engine}, which has no transactions`
  return `a ${type.toLowerCase()}`
}

function atStatement(sql: string): string {
  return `could not be loaded, at "${toOneLine(sql)}"`
}
