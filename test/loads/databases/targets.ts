import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DatabaseTarget } from '../../../src/loads/databases/database-output.ts'
import type { Column } from '../../../src/records/flatten/column.ts'
import { quoteName } from '../../../src/loads/files/sql-text.ts'
import mysql from 'mysql2/promise'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import { skipsMariadb, startMariadb } from './mariadb-server.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

/** A database for tests of loads, with whatever reads it beside the code under test. */
export interface TestDatabase {
  /** A target with a schema that nothing else uses. */
  createTarget(): DatabaseTarget
  query(target: DatabaseTarget, sql: string): Promise<(string | null)[][]>
  stop(): Promise<void>
}

/** The kinds of databases that tests run against on this machine. */
export const testedFormats = (['postgres', 'duckdb', 'mariadb'] as const).filter(
  (format) => !{ postgres: skipsPostgres, duckdb: false, mariadb: skipsMariadb }[format],
)

export async function startDatabase(
  format: DatabaseTarget['format'],
): Promise<TestDatabase & { server?: PostgresServer }> {
  switch (format) {
    case 'postgres':
      return startPostgresDatabase()
    case 'mariadb':
      return startMariadbDatabase()
    case 'duckdb':
      return startDuckdbDatabase()
  }
}

/** Queries have names in double quotes, as for the others. */
async function startMariadbDatabase(): Promise<TestDatabase> {
  const server = await startMariadb()
  const address = new URL(server.url)
  const client = await mysql.createConnection({
    host: address.hostname,
    port: Number(address.port),
    user: address.username,
    password: server.password,
    charset: 'utf8mb4',
    rowsAsArray: true,
    multipleStatements: true,
    typeCast: (field) => field.string(),
  })
  await client.query(
    "SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin; SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES', time_zone = '+00:00'",
  )
  let number = 0
  return {
    createTarget() {
      const schema = `${server.database} ${++number}`
      address.pathname = `/${schema}`
      return { format: 'mariadb', url: new DatabaseUrl(address.href), schema }
    },
    async query(_, sql) {
      const [rows] = await client.query(sql)
      return Array.isArray(rows) ? (rows as unknown as (string | null)[][]) : []
    },
    stop: () => client.end(),
  }
}

async function startPostgresDatabase(): Promise<TestDatabase & { server: PostgresServer }> {
  const server = await startPostgres()
  let number = 0
  return {
    server,
    createTarget: () => ({ format: 'postgres', url: server.url, schema: `schema ${++number}` }),
    query: (_, sql) => server.query(sql),
    stop: () => server.stop(),
  }
}

async function startDuckdbDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'duckdb-'))
  let number = 0
  return {
    createTarget: () => ({ format: 'duckdb', path: join(folder, `warehouse-${++number}.duckdb`), schema: 'main' }),
    async query(target, sql) {
      const instance = await DuckDBInstance.fromCache(target.format === 'duckdb' ? target.path : ':memory:')
      const connection = await instance.connect()
      try {
        await connection.run("SET TimeZone = 'UTC'")
        const rows = (await connection.runAndReadAll(sql)).getRowsJson()
        return rows.map((row) => row.map((cell) => cell as string | null))
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    },
    stop: () => rm(folder, { recursive: true }),
  }
}

/** The rows of a table as the model has them: sorted lines of JSON. */
export async function readLines(
  database: TestDatabase,
  target: DatabaseTarget,
  table: string,
  columns: readonly Column[],
): Promise<string[]> {
  const isPostgres = target.format === 'postgres'
  const values = columns.map(({ name, type, list }) => {
    const column = quoteName(name)
    if (target.format === 'mariadb') return formatForMariadb(column, type)
    const text = isPostgres ? `${column}::text` : `CAST(${column} AS VARCHAR)`
    if (list) return isPostgres ? `to_json(${column})::text` : `CAST(to_json(${column}) AS VARCHAR)`
    if (type.kind !== 'timestamp') return text
    return isPostgres ? `(extract(epoch from ${column}) * 1000)::bigint::text` : `CAST(epoch_ms(${column}) AS VARCHAR)`
  })
  const from = `${quoteName(target.schema)}.${quoteName(table)}`
  const rows = await database.query(target, `SELECT ${values.join(', ')} FROM ${from}`)
  return rows.map((row) => JSON.stringify(row.map((cell, at) => toCell(cell, columns[at] as Column)))).toSorted()
}

function formatForMariadb(column: string, { kind }: Column['type']): string {
  if (kind === 'boolean') return `CASE WHEN ${column} THEN 'true' WHEN NOT ${column} THEN 'false' END`
  return kind === 'timestamp' ? `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${column}) DIV 1000` : column
}

function toCell(text: string | null, { type, list }: Column): unknown {
  if (text === null) return null
  if (list) return JSON.parse(text) as unknown
  return type.kind === 'text' || type.kind === 'date' ? text : (JSON.parse(text) as unknown)
}
