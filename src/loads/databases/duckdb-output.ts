import * as fsPromises from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { type LoadFiles } from '../merge-result.ts'
import { recordColumns } from '../../records/record-table.ts'
import { requireDuckdb } from '../files/open-duckdb.ts'
import { formatParquetFiles, quoteName } from '../files/sql-text.ts'
import { fileExists } from '../../storage/file-system.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import { checkEachOnce, checkJoin, checkTarget, neverLoaded, rewritesAll } from './check-target.ts'
import type {
  DatabaseChanges,
  DatabaseLoad,
  DatabaseOptions,
  DatabaseOutput,
  DatabaseOutputPlan,
  DatabaseTarget,
  LoadStart,
  TargetState,
} from './database-output.ts'
import { openDuckdbSession, type DuckdbSession } from './duckdb-session.ts'
import { loadedRecords, loadedTable, listStateTables } from './state-tables.ts'
import { mergeIntoDatabase } from './merge-into-database.ts'
import { formatNames } from './sql-dialect.ts'

export interface DuckdbPlan extends DatabaseOutputPlan {
  readonly target: Extract<DatabaseTarget, { format: 'duckdb' }>
}

/**
 * Reads the rows from the load's Parquet files. Opens the database file briefly to check it, and then from `finish` to
 * `commit`; meanwhile no other process can read it.
 */
export async function openDuckdbOutput(
  plan: DuckdbPlan,
  start: LoadStart,
  { lockWaitMs = defaultLockWaitMs }: DatabaseOptions,
): Promise<DatabaseOutput> {
  const target = await readDuckdbState(plan, start.configHash, { lockWaitMs })
  const shown = formatTarget(plan)
  checkJoin(shown, target, start)
  let session: DuckdbSession | null = null
  return {
    shown,
    takes: 'parquet',
    write: () => Promise.reject(new TypeError('expected Parquet files at the end, got a piece')),
    async finish(load, files) {
      if (files === undefined) throw new TypeError('expected Parquet files, got none')
      session = await open(plan, lockWaitMs)
      const named = withCatalog(plan, session)
      await createState(session, named, lockWaitMs)
      return mergeIntoFiles(session, named, load, files)
    },
    async commit() {
      await session?.run('COMMIT')
      return {}
    },
    discard: () => {
      session?.close()
      session = null
      return Promise.resolve()
    },
  }
}

export async function readDuckdbState(
  plan: DuckdbPlan,
  configHash: string,
  { lockWaitMs = defaultLockWaitMs }: DatabaseOptions,
): Promise<TargetState> {
  const shown = formatTarget(plan)
  // Checked here already, as the load would need it in the end.
  const { path } = plan.target
  if (!(await outputOperation(path, 'looked up', () => fileExists(path, fsPromises)))) {
    requireDuckdb(shown)
    return { last: null, differences: [], needsFull: neverLoaded }
  }
  const session = await open(plan, lockWaitMs)
  try {
    const { last, differences, needsFull } = await checkTarget(session, withCatalog(plan, session), configHash)
    return { last, differences, needsFull }
  } finally {
    session.close()
  }
}

function open(plan: DuckdbPlan, lockWaitMs: number): Promise<DuckdbSession> {
  return openDuckdbSession(plan.target.path, formatTarget(plan), lockWaitMs)
}

/** A schema may have the name of its file: then only both names together are unambiguous. */
function withCatalog(plan: DuckdbPlan, { catalog }: DuckdbSession) {
  return { ...plan, target: { ...plan.target, catalog } }
}

function formatTarget({ target }: DuckdbPlan): string {
  return `${target.path}, schema "${target.schema}"`
}

/** Waits for a load of this process that creates the same tables at this time. */
async function createState(session: DuckdbSession, plan: DuckdbPlan, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs
  const statements = [
    `CREATE SCHEMA IF NOT EXISTS ${quoteName(plan.target.schema)}`,
    ...listStateTables(plan, session.dialect).map((statement) =>
      statement.replace(/^CREATE TABLE/, '$& IF NOT EXISTS'),
    ),
  ]
  for (const statement of statements) {
    for (;;) {
      try {
        await session.run(statement)
        break
      } catch (thrown) {
        const isConflict = thrown instanceof CatalogueError && thrown.message.includes('write-write conflict')
        if (!isConflict || Date.now() >= until) throw thrown
        await sleep(conflictPollMs)
      }
    }
  }
}

async function mergeIntoFiles(
  session: DuckdbSession,
  plan: DuckdbPlan,
  load: DatabaseLoad,
  files: LoadFiles,
): Promise<DatabaseChanges> {
  await session.run('BEGIN')
  // Checks again, as the target may have been loaded or changed since.
  const target = await checkTarget(session, plan, load.configHash)
  checkJoin(session.shown, target, load)
  for (const [at, table] of plan.tables.entries()) {
    await createView(session, loadedTable(at), table.columns, files.tables[at] ?? '')
  }
  await createView(session, loadedRecords, recordColumns, files.records)
  await checkEachOnce(session)
  const terms = { dialect: session.dialect, plan, load, rewritesAll: rewritesAll(load, target) }
  return mergeIntoDatabase(session, terms, target, { copied: plan.tables.map(() => null) })
}

async function createView(
  session: DuckdbSession,
  name: string,
  columns: KeyedTable['columns'],
  path: string,
): Promise<void> {
  const from = formatParquetFiles([path])
  await session.run(`CREATE TEMPORARY VIEW ${quoteName(name)} AS SELECT ${formatNames(columns)} FROM ${from}`)
}

const conflictPollMs = 50
const defaultLockWaitMs = 10_000
