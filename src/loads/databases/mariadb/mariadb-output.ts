import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError } from '../../../errors.ts'
import { recordColumns } from '../../../records/record-table.ts'
import { quoteName, quoteText } from '../../files/sql-text.ts'
import { checkEachOnce, checkJoin, checkTarget, checkUnchanged, rewritesAll } from '../check-target.ts'
import { commitLoad } from '../commit-load.ts'
import type {
  DatabaseLoad,
  DatabaseOptions,
  DatabaseOutput,
  DatabaseOutputPlan,
  DatabaseTarget,
  LoadStart,
  TargetState,
} from '../database-output.ts'
import { mergeIntoDatabase } from '../merge-into-database.ts'
import { formatCreateTable, type TableDetails } from '../sql-dialect.ts'
import { listStateTables, loadedRecords, loadedTable } from '../state-tables.ts'
import { InsertQueue, type InsertedTable } from './insert-queue.ts'
import { escapingMode, openMariadbSession, plainMode, type MariadbSession } from './mariadb-session.ts'

export interface MariadbPlan extends DatabaseOutputPlan {
  readonly target: Extract<DatabaseTarget, { format: 'mariadb' }>
}

/**
 * Inserts rows into temporary tables while the source is read. `finish` compares them and defines what tables lack, which
 * MariaDB commits at once and which changes no row; then one transaction puts the rows of all tables in place, with the state.
 */
export async function openMariadbOutput(
  plan: MariadbPlan,
  start: LoadStart,
  { lockWaitMs = defaultLockWaitMs, ...options }: DatabaseOptions,
): Promise<DatabaseOutput> {
  const session = await openMariadbSession(plan.target, plan.pipeline, options)
  try {
    await createState(session, plan)
    await lockState(session, plan, lockWaitMs)
    const target = await checkTarget(session, plan, start.configHash)
    checkJoin(session.shown, target, start)
    const queue = new InsertQueue(session, await createStaging(session, plan))
    await session.run(`SET SESSION sql_mode = '${escapingMode}'`)
    let finished: DatabaseLoad | null = null
    return {
      shown: session.shown,
      takes: 'copy',
      write: (table, piece) => queue.write(table, piece),
      async finish(load) {
        finished = load
        await queue.flush()
        await session.run(`SET SESSION sql_mode = '${plainMode}'`)
        await checkEachOnce(session)
        await checkUnchanged(session, plan, target)
        const terms = { dialect: session.dialect, plan, load, rewritesAll: rewritesAll(load, target) }
        return mergeIntoDatabase(session, terms, target, { copied: plan.tables.map(() => null) })
      },
      async commit() {
        const connect = () => openMariadbSession(plan.target, plan.pipeline)
        const lock = (other: MariadbSession, waitMs: number) => lockState(other, plan, waitMs)
        await commitLoad(session, { plan, load: finished, connect, lock })
        return {}
      },
      discard: () => session.close(),
    }
  } catch (thrown) {
    await session.close()
    throw thrown
  }
}

export async function readMariadbState(
  plan: MariadbPlan,
  configHash: string,
  options: DatabaseOptions,
): Promise<TargetState> {
  const session = await openMariadbSession(plan.target, plan.pipeline, options)
  try {
    const { last, differences, needsFull } = await checkTarget(session, plan, configHash)
    return { last, differences, needsFull }
  } finally {
    await session.close()
  }
}

/** First loads of two pipelines may create it at the same time. */
async function createState(session: MariadbSession, plan: MariadbPlan): Promise<void> {
  const { schema } = plan.target
  const [found] = await session.rows(
    `SELECT schema_name FROM information_schema.schemata WHERE schema_name = ${quoteText(schema)}`,
  )
  if (found === undefined) await session.run(`CREATE DATABASE IF NOT EXISTS ${quoteName(schema)}`)
  // Temporary tables are in the database of the session.
  await session.run(`USE ${quoteName(schema)}`)
  for (const statement of listStateTables(plan, session.dialect))
    await session.run(statement.replace(/^CREATE TABLE/, '$& IF NOT EXISTS'))
}

/** Keeps other loads of the pipeline out of the database until the connection ends. Throws LOCKED, with the holder. */
async function lockState(session: MariadbSession, plan: MariadbPlan, waitMs: number): Promise<void> {
  const lock = quoteText(toLockName(plan))
  const until = Date.now() + waitMs
  for (;;) {
    const [row] = await session.rows(`SELECT GET_LOCK(${lock}, 0) AS locked`)
    if (row?.locked === '1') return
    if (Date.now() >= until) break
    await sleep(Math.min(lockPollMs, Math.max(0, until - Date.now())))
  }
  const [holder] = await session.rows(
    `SELECT p.id, p.host, p.time FROM information_schema.processlist AS p WHERE p.id = IS_USED_LOCK(${lock})`,
  )
  const got = holder === undefined ? 'another session' : `session ${holder.id} from ${holder.host}`
  const message = `${session.shown}: expected no other load of pipeline "${plan.pipeline}" at the same time, got ${got}`
  throw new CatalogueError('LOCKED', message)
}

/** Locks are those of the whole server, by a name of at most 64 characters. */
function toLockName({ target, pipeline }: MariadbPlan): string {
  const digest = createHash('sha256').update([target.schema, pipeline].join('\n'))
  return `catalogue-etl ${digest.digest('hex').slice(0, 40)}`
}

async function createStaging(session: MariadbSession, plan: MariadbPlan): Promise<InsertedTable[]> {
  const tables = plan.tables.map(({ columns, idColumn, positionColumns }, at) => ({
    name: session.dialect.formatSessionTable(loadedTable(at)),
    columns,
    index: [idColumn, ...positionColumns],
  }))
  const records = { name: session.dialect.formatSessionTable(loadedRecords), columns: recordColumns, index: ['id'] }
  for (const { name, columns, index } of [...tables, records]) await createTemporary(session, name, columns, { index })
  return [...tables, records]
}

async function createTemporary(
  session: MariadbSession,
  name: string,
  columns: InsertedTable['columns'],
  details: TableDetails,
): Promise<void> {
  const statement = formatCreateTable(name, columns, session.dialect, details)
  await session.run(statement.replace(/^CREATE TABLE/, 'CREATE TEMPORARY TABLE'))
}

const defaultLockWaitMs = 10_000
const lockPollMs = 200
