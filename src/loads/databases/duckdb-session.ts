import * as fs from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBInstance } from '@duckdb/node-api'
import { CatalogueError, isError, messageOf, toOutputCode } from '../../errors.ts'
import { createFolders } from '../../storage/file-system.ts'
import { requireDuckdb } from '../files/open-duckdb.ts'
import { quoteText } from '../files/sql-text.ts'
import type { DatabaseSession } from './sql-dialect.ts'
import { duckdbDialect } from './duckdb-dialect.ts'

export interface DuckdbSession extends DatabaseSession {
  readonly catalog: string
  close(): void
}

/**
 * Opens a DuckDB file, waiting up to `waitMs` for another process: while it is open, no other can read or write it.
 * Throws LOCKED, PEER_MISSING, TARGET_FAILED, and TARGET_REFUSED if another try ends the same way.
 */
export async function openDuckdbSession(
  path: string,
  shown: string,
  lockWaitMs: number,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<DuckdbSession> {
  const duckdb = requireDuckdb(shown)
  const fail = (thrown: unknown, done: string) => {
    const said = messageOf(thrown).replaceAll(/\s+/g, ' ').trim()
    const isLasting = lastingWords.test(said) || toOutputCode(thrown) === 'OUTPUT_REFUSED'
    return new CatalogueError(isLasting ? 'TARGET_REFUSED' : 'TARGET_FAILED', `${shown}: ${done}: ${said}`, {
      cause: thrown,
      fix: adviseOn(said, isLasting),
    })
  }
  const instance = await openUnlocked(
    async () => {
      if (readOnly) return duckdb.DuckDBInstance.create(resolve(path), { access_mode: 'READ_ONLY' })
      await createFolders(dirname(resolve(path)), fs)
      // Two instances of one process would not see each other's lock.
      return duckdb.DuckDBInstance.fromCache(resolve(path))
    },
    { shown, lockWaitMs, fail },
  )
  const connection = await instance.connect()
  const query = async (sql: string) => {
    try {
      return await connection.run(sql)
    } catch (thrown) {
      throw fail(thrown, `could not be loaded, at "${sql.replaceAll(/\s+/g, ' ').slice(0, 300)}"`)
    }
  }
  const rows = async (sql: string) =>
    (await (await query(sql)).getRowObjectsJson()) as Readonly<Record<string, string | null>>[]
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  // Joins and sorts that need more go to files beside the database.
  const settings = "SET memory_limit = '1GB'; SET preserve_insertion_order = false; SET TimeZone = 'UTC'"
  const [named] = await rows(`${settings}; SELECT current_database() AS catalog`).catch((thrown: unknown) => {
    close()
    throw thrown
  })
  return {
    dialect: duckdbDialect,
    shown,
    catalog: named?.catalog ?? '',
    run: async (sql) => (await query(sql)).rowsChanged,
    // The transaction of a load has begun before.
    begin: () => Promise.resolve(),
    runAlone: async (_, sql) => void (await query(sql)),
    addKey: () => Promise.resolve(false),
    awaitReading: () => Promise.resolve(),
    rows,
    async readTables(of) {
      const tables = new Map<string, Map<string, string>>()
      const columns = await rows(
        `SELECT table_name, column_name, data_type FROM duckdb_columns()
        WHERE database_name = current_database() AND schema_name = ${quoteText(of)} AND NOT internal ORDER BY table_name, column_index`,
      )
      for (const { table_name: table, column_name: column, data_type: type } of columns) {
        if (!tables.has(table ?? '')) tables.set(table ?? '', new Map())
        tables.get(table ?? '')?.set(column ?? '', type ?? '')
      }
      return tables
    },
    // DuckDB updates no list in a table with an index: rows are deleted and inserted anew, with or without keys.
    readUniqueKeys: () => Promise.resolve(new Map()),
    async readOtherKinds(of) {
      const views = await rows(
        `SELECT view_name FROM duckdb_views() WHERE database_name = current_database() AND schema_name = ${quoteText(of)}`,
      )
      return new Map(views.map(({ view_name: name }) => [name ?? '', 'a view']))
    },
    close,
  }
}

function adviseOn(said: string, isLasting: boolean): string {
  if (/unique constraint|primary key constraint/.test(said))
    return 'DuckDB refuses rows that a load replaces where somebody made a unique index or a primary key: drop the index (`FROM duckdb_indexes()` lists them), or make the table anew without the key.'
  return isLasting
    ? 'Check the path and its permissions, that it is a file of this version of DuckDB, and what was changed in its tables by hand.'
    : 'Check free space and that the disk answers, then run again: nothing has to be cleaned up first.'
}

interface Opening {
  readonly shown: string
  readonly lockWaitMs: number
  readonly fail: (thrown: unknown, done: string) => CatalogueError
}

async function openUnlocked(
  open: () => Promise<DuckDBInstance>,
  { shown, lockWaitMs, fail }: Opening,
): Promise<DuckDBInstance> {
  const until = Date.now() + lockWaitMs
  for (;;) {
    try {
      return await open()
    } catch (thrown) {
      const holder = findHolder(thrown)
      if (holder === null) throw fail(thrown, 'could not be opened')
      if (Date.now() >= until) {
        const message = `${shown}: expected a file that no other process has open, got one that ${holder} has open`
        throw new CatalogueError('LOCKED', message, { cause: thrown, fix: 'Close it there, then run again.' })
      }
    }
    await sleep(Math.min(lockPollMs, Math.max(0, until - Date.now())))
  }
}

/** `Could not set lock on file …: Conflicting lock is held in /usr/bin/node (PID 4211).` */
function findHolder(thrown: unknown): string | null {
  const message = isError(thrown) ? thrown.message : ''
  if (!message.includes('Could not set lock on file')) return null
  return /Conflicting lock is held in (.*?\(PID \d+\))/.exec(message)?.[1] ?? 'another process'
}

/** Kinds of errors that a repetition does not change, and files among the kind "IO Error": DuckDB has no codes. */
const lastingWords =
  /^(?:Binder|Catalog|Constraint|Conversion|Dependency|Invalid Input|Invalid Type|Mismatch Type|Not implemented|Out of Range|Parser|Permission|Serialization) Error|Permission denied|Is a directory|Not a directory|No such file|Read-only file system|File name too long|not a valid DuckDB|version number|Corrupt database/i

const lockPollMs = 200
