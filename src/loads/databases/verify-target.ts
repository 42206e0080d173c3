import * as fs from 'node:fs/promises'
import { quoteName, quoteText } from '../files/sql-text.ts'
import { fileExists } from '../../storage/file-system.ts'
import type { DatabaseOptions, DatabaseOutputPlan } from './database-output.ts'
import type { DatabaseSession } from './sql-dialect.ts'
import { openDuckdbSession } from './duckdb-session.ts'
import { openMariadbSession } from './mariadb/mariadb-session.ts'
import { openPostgresSession } from './postgres/postgres-session.ts'
import { countRows, qualify, readLastLoad, recordsTable, runsTableName, type LastLoad } from './state-tables.ts'

export interface VerifyTargetPlan extends DatabaseOutputPlan {
  /** Names of the tables that have a row for each record. */
  readonly recordTables: ReadonlySet<string>
}

export interface TableDifference {
  readonly kind: 'missing' | 'changed' | 'unexpected'
  /** Null for the state itself. */
  readonly table: string | null
  readonly expected: string
  readonly got: string
}

export interface VerifiedTarget {
  readonly shown: string
  readonly startedAt: Date | null
  /** `rows` is null if the table is missing. */
  readonly tables: readonly { readonly name: string; readonly rows: number | null }[]
  readonly differences: readonly TableDifference[]
}

/**
 * Compares the tables of a target with its own state, in one read-only transaction: the number of rows of each table,
 * and the records of tables with a row for each. Values can't be compared, as the state's hashes are over whole
 * records. Throws LOCKED if another process has a DuckDB file open, TARGET_FAILED, TARGET_REFUSED, PEER_MISSING.
 */
export async function verifyTarget(plan: VerifyTargetPlan, options: DatabaseOptions = {}): Promise<VerifiedTarget> {
  const { target } = plan
  if (target.format !== 'duckdb') {
    const session = await (target.format === 'postgres'
      ? openPostgresSession(target, plan.pipeline, { readsOnly: true })
      : openMariadbSession(target, plan.pipeline, { readsOnly: true }))
    try {
      return await compareTables(session, plan)
    } finally {
      await session.close()
    }
  }
  const shown = `${target.path}, schema "${target.schema}"`
  if (!(await fileExists(target.path, fs))) {
    const gone = { kind: 'missing', table: null, expected: 'a DuckDB file', got: 'no file' } as const
    return {
      shown,
      startedAt: null,
      tables: plan.tables.map(({ name }) => ({ name, rows: null })),
      differences: [gone],
    }
  }
  const { lockWaitMs = defaultLockWaitMs } = options
  const session = await openDuckdbSession(target.path, shown, lockWaitMs, { readOnly: true })
  try {
    await session.run('BEGIN TRANSACTION READ ONLY')
    return await compareTables(session, { ...plan, target: { ...target, catalog: session.catalog } })
  } finally {
    session.close()
  }
}

const defaultLockWaitMs = 10_000

type Plan = Omit<VerifyTargetPlan, 'target'> & {
  readonly target: { readonly schema: string; readonly catalog?: string }
}

async function compareTables(session: DatabaseSession, plan: Plan): Promise<VerifiedTarget> {
  const found = await session.readTables(plan.target.schema)
  const state = found.get(runsTableName)
  const last = state === undefined ? null : await readLastLoad(session, plan, state)
  const tables = await Promise.all(
    plan.tables.map(async ({ name }) => ({
      name,
      rows: found.has(name) ? await countRows(session, plan, name) : null,
    })),
  )
  if (last === null) {
    const expected = `a load of pipeline "${plan.pipeline}"`
    const none = { kind: 'missing', table: null, expected, got: 'a schema without its state' } as const
    return { shown: session.shown, startedAt: null, tables, differences: [none] }
  }
  const differences: TableDifference[] = []
  for (const { name, rows } of tables) {
    // Tables that a config adds are loaded by its first run.
    if (!last.tables.includes(name)) continue
    differences.push(...compareRows(name, rows, last))
    const { idColumn } = plan.tables.find((table) => table.name === name) ?? { idColumn: '' }
    if (rows !== null) differences.push(...(await compareRecords(session, plan, { name, idColumn, last })))
  }
  return { shown: session.shown, startedAt: last.startedAt, tables, differences }
}

function compareRows(table: string, rows: number | null, last: LastLoad): TableDifference[] {
  const expected = last.rows[table]
  const shown = expected === undefined ? 'a table' : `${expected} rows`
  if (rows === null) return [{ kind: 'missing', table, expected: shown, got: 'no table' }]
  return expected === undefined || rows === expected
    ? []
    : [{ kind: 'changed', table, expected: shown, got: `${rows} rows` }]
}

interface RecordTable {
  readonly name: string
  readonly idColumn: string
  readonly last: LastLoad
}

/**
 * Counts records of the state without a row, and rows without a record of the state. Nothing is known of appended rows.
 */
async function compareRecords(
  session: DatabaseSession,
  plan: Plan,
  { name, idColumn, last: { mode } }: RecordTable,
): Promise<TableDifference[]> {
  if (mode === 'append') return []
  const [table, id] = [qualify(plan, name), quoteName(idColumn)]
  const state = `(SELECT id, removed_at FROM ${recordsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)})`
  const differences: TableDifference[] = []
  const unexpected = await readIds(
    session,
    `SELECT DISTINCT t.${id} AS id FROM ${table} AS t WHERE NOT EXISTS (SELECT 1 FROM ${state} AS s WHERE s.id = t.${id})`,
  )
  if (unexpected.count > 0) {
    const expected = 'rows of records that the pipeline has loaded'
    differences.push({ kind: 'unexpected', table: name, expected, got: `rows of ${describeIds(unexpected)}` })
  }
  // A snapshot lacks the records whose lines were rejected.
  if (mode === 'snapshot' || !plan.recordTables.has(name)) return differences
  const isCurrent = mode === 'history' ? ' AND t.is_current' : ''
  const missing = await readIds(
    session,
    `SELECT s.id AS id FROM ${state} AS s WHERE s.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM ${table} AS t WHERE t.${id} = s.id${isCurrent})`,
  )
  if (missing.count > 0) {
    const expected = mode === 'history' ? 'a current version of each record' : 'a row of each record'
    differences.push({ kind: 'missing', table: name, expected, got: `none of ${describeIds(missing)}` })
  }
  return differences
}

interface Ids {
  readonly count: number
  readonly ids: readonly string[]
}

async function readIds(session: DatabaseSession, query: string): Promise<Ids> {
  const [row] = await session.rows(`SELECT count(*) AS found FROM (${query}) AS ids`)
  const count = Number(row?.found)
  if (count === 0) return { count, ids: [] }
  const rows = await session.rows(`SELECT id FROM (${query}) AS ids ORDER BY id LIMIT 3`)
  return { count, ids: rows.map(({ id }) => String(id)) }
}

function describeIds({ count, ids }: Ids): string {
  const more = count > ids.length ? ` and ${count - ids.length} more` : ''
  return `${ids.map((id) => JSON.stringify(id)).join(', ')}${more}`
}
