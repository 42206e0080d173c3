import { recordColumns } from '../../../records/record-table.ts'
import { quoteName, quoteText } from '../../files/sql-text.ts'
import { checkJoin, checkTarget, checkUnchanged, rewritesAll, type CheckedTarget } from '../check-target.ts'
import { commitLoad } from '../commit-load.ts'
import { CopyQueue } from './copy-queue.ts'
import type {
  DatabaseLoad,
  DatabaseOptions,
  DatabaseOutput,
  DatabaseOutputPlan,
  DatabaseTarget,
  LoadStart,
  TargetState,
} from '../database-output.ts'
import { listTargetColumns } from '../load-statements.ts'
import {
  loadedRecords,
  loadedTable,
  listStateTables,
  qualify,
  recordsTable,
  runsTable,
  runsTableName,
} from '../state-tables.ts'
import { lockState, toLockKey } from './postgres-lock.ts'
import { openPostgresSession, type PostgresSession } from './postgres-session.ts'
import { mergeIntoDatabase, type DatabaseTerms } from '../merge-into-database.ts'
import { formatCreateTable, formatNames } from '../sql-dialect.ts'

export interface PostgresPlan extends DatabaseOutputPlan {
  readonly target: Extract<DatabaseTarget, { format: 'postgres' }>
}

/** Copies rows into temporary tables or, if a table is empty, straight into it; all in one transaction. */
export async function openPostgresOutput(
  plan: PostgresPlan,
  start: LoadStart,
  options: DatabaseOptions,
): Promise<DatabaseOutput> {
  const { lockWaitMs = defaultLockWaitMs } = options
  const session = await connect(plan, options)
  try {
    await createState(session, plan)
    await lockState(session, plan, lockWaitMs)
    await session.locks.lock([runsTable(plan)], 'ACCESS SHARE')
    // Counting locks tables against changes of their definition; the lock is released, as the stream may take hours.
    await session.run('SAVEPOINT counted')
    const target = await checkTarget(session, plan, start.configHash)
    await session.run('ROLLBACK TO SAVEPOINT counted')
    checkJoin(session.shown, target, start)
    const copied = await createStaging(session, plan, target)
    return createOutput(session, { plan, target, copied })
  } catch (thrown) {
    await session.close()
    throw thrown
  }
}

export async function readPostgresState(
  plan: PostgresPlan,
  configHash: string,
  options: DatabaseOptions,
): Promise<TargetState> {
  const session = await connect(plan, options)
  try {
    const isKept = (await session.readTables(plan.target.schema)).has(runsTableName)
    await session.locks.lock(isKept ? [runsTable(plan)] : [], 'ACCESS SHARE')
    const { last, differences, needsFull } = await checkTarget(session, plan, configHash)
    return { last, differences, needsFull }
  } finally {
    await session.close()
  }
}

function connect({ target, pipeline }: PostgresPlan, options: DatabaseOptions = {}): Promise<PostgresSession> {
  return openPostgresSession(target, pipeline, options)
}

interface OpenLoad {
  readonly plan: PostgresPlan
  readonly target: CheckedTarget
  readonly copied: readonly boolean[]
}

function createOutput(session: PostgresSession, { plan, target, copied }: OpenLoad): DatabaseOutput {
  let finished: DatabaseLoad | null = null
  const queue = new CopyQueue(session.client, listCopyStatements(session, plan, target, copied))
  const copying = async (copy: () => Promise<void>) => {
    try {
      await copy()
    } catch (thrown) {
      throw session.toFailure(thrown, 'could not be loaded')
    }
  }
  return {
    shown: session.shown,
    takes: 'copy',
    write: (table, piece) => copying(() => queue.write(table, piece)),
    async finish(load) {
      finished = load
      await copying(() => queue.flush())
      await describeStaging(session, plan, copied)
      await session.locks.lock(listWrittenTables(plan, target), 'ROW EXCLUSIVE')
      await checkUnchanged(session, plan, target)
      const terms: DatabaseTerms = { dialect: session.dialect, plan, load, rewritesAll: rewritesAll(load, target) }
      // Without statistics of the state the planner takes it for a few rows, and compares each with every record.
      if (terms.rewritesAll) await session.run('SET LOCAL enable_nestloop = off')
      return mergeIntoDatabase(session, terms, target, {
        copied: copied.map((isCopied, at) => (isCopied ? (queue.rows[at] ?? 0) : null)),
      })
    },
    async commit() {
      const lock = (other: PostgresSession, waitMs: number) => lockState(other, plan, waitMs)
      await commitLoad(session, { plan, load: finished, connect: () => connect(plan), lock })
      return {}
    },
    discard: () => session.close(),
  }
}

/** Commits by itself and only once, so that first loads of two pipelines don't wait for each other. */
async function createState(session: PostgresSession, plan: PostgresPlan): Promise<void> {
  if ((await session.readTables(plan.target.schema)).has(runsTableName)) return
  await session.run(`SELECT pg_advisory_xact_lock(${toLockKey(plan.target.schema)})`)
  const [found] = await session.rows(
    `SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname = ${quoteText(plan.target.schema)}`,
  )
  if (found === undefined) await session.run(`CREATE SCHEMA ${quoteName(plan.target.schema)}`)
  if (!(await session.readTables(plan.target.schema)).has(runsTableName)) {
    for (const statement of listStateTables(plan, session.dialect)) await session.run(statement)
  }
  await session.run('COMMIT')
  await session.beginNext()
}

/**
 * Creates the temporary tables and, for a first load, the tables themselves. Returns which tables are copied into
 * directly.
 */
async function createStaging(session: PostgresSession, plan: PostgresPlan, target: CheckedTarget): Promise<boolean[]> {
  const isStraight = target.last === null && (plan.mode === 'merge' || plan.mode === 'snapshot')
  const copied = target.tables.map(({ missing }) => isStraight && missing.length === 0)
  for (const [at, { name, columns }] of plan.tables.entries()) {
    const isNew = !target.tables[at]?.exists
    if (copied[at] && isNew) {
      const create = formatCreateTable(qualify(plan, name), listTargetColumns(plan, at), session.dialect)
      await session.run(create)
    }
    if (!copied[at]) await createTemporary(session, loadedTable(at), columns)
  }
  await createTemporary(session, loadedRecords, recordColumns)
  const filled = plan.tables.filter((_, at) => copied[at] && target.tables[at]?.exists)
  await session.locks.lock(
    filled.map(({ name }) => qualify(plan, name)),
    'ROW EXCLUSIVE',
  )
  return copied
}

/** Existing tables of this load and of the state; a table that gets a column is locked by that statement. */
function listWrittenTables(plan: PostgresPlan, target: CheckedTarget): string[] {
  const written = plan.tables.filter((_, at) => target.tables[at]?.exists && target.tables[at].missing.length === 0)
  return [...written.map(({ name }) => qualify(plan, name)), recordsTable(plan), runsTable(plan)]
}

async function createTemporary(
  session: PostgresSession,
  name: string,
  columns: Parameters<typeof formatCreateTable>[1],
): Promise<void> {
  await session.run(
    `${formatCreateTable(session.dialect.formatSessionTable(name), columns, session.dialect)} ON COMMIT DROP`,
  )
}

function listCopyStatements(
  { dialect }: PostgresSession,
  plan: PostgresPlan,
  target: CheckedTarget,
  copied: readonly boolean[],
): string[] {
  const tables = plan.tables.map(({ name, columns }, at) => {
    const into = copied[at] ? qualify(plan, name) : dialect.formatSessionTable(loadedTable(at))
    // A table that this transaction created can be written like an old one.
    const isNew = !copied[at] || !target.tables[at]?.exists
    return `COPY ${into} (${formatNames(columns)}) FROM STDIN${isNew && copied[at] ? ' WITH (FREEZE)' : ''}`
  })
  return [...tables, `COPY ${dialect.formatSessionTable(loadedRecords)} (${formatNames(recordColumns)}) FROM STDIN`]
}

/**
 * Gives the planner statistics of temporary tables, and checks that each record came once. Rejects are no records: one
 * may share the id of a record or of other rejects (see record-table.ts).
 */
async function describeStaging(
  session: PostgresSession,
  plan: PostgresPlan,
  copied: readonly boolean[],
): Promise<void> {
  const { dialect } = session
  const records = dialect.formatSessionTable(loadedRecords)
  await session.run(`CREATE UNIQUE INDEX ON ${records} (id) WHERE content_hash IS DISTINCT FROM ''`)
  await session.run(`ANALYZE ${records}`)
  for (const [at, { idColumn }] of plan.tables.entries()) {
    if (!copied[at])
      await session.run(`ANALYZE ${dialect.formatSessionTable(loadedTable(at))} (${quoteName(idColumn)})`)
  }
}

const defaultLockWaitMs = 10_000
