import { checkRemovals } from '../changes/check-removals.ts'
import { formatFormerValues, listPlacedChanges, toChangeCounts } from '../changes/compare-records.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { ChangeCounts, RemovedRecord } from '../merge-result.ts'
import type { CheckedTarget } from './check-target.ts'
import type { DatabaseChanges, DatabaseLoad } from './database-output.ts'
import { formatComments } from './format-comments.ts'
import { formatCreateTable, type DatabaseSession } from './sql-dialect.ts'
import { formatChangesTable, formatForeignRows, formatTableStatements, listTargetColumns } from './load-statements.ts'
import {
  countRecords,
  listStateExtensions,
  listStateStatements,
  loadChanges,
  type LoadTerms,
  qualify,
  runsTable,
} from './state-tables.ts'

export interface DatabaseTerms extends LoadTerms {
  readonly load: DatabaseLoad
}

/** How the rows of each table got into the transaction. */
export interface LoadedRows {
  /** Rows that were copied into their table at once, as it was empty; null where they are in the session's table. */
  readonly copied: readonly (number | null)[]
}

/**
 * Merges a load that is in the session's tables: compares it with the state, refuses a sudden loss (REMOVED_TOO_MANY),
 * creates and extends tables, puts rows in place and writes the state. Commits nothing.
 */
export async function mergeIntoDatabase(
  session: DatabaseSession,
  terms: DatabaseTerms,
  target: CheckedTarget,
  { copied }: LoadedRows,
): Promise<DatabaseChanges> {
  const { plan, load } = terms
  const isFirst = target.last === null
  for (const extension of listStateExtensions(plan, terms.dialect, target.stateColumns))
    await session.runAlone(runsTable(plan), extension)
  const known = isFirst ? 0 : await countRecords(session, plan)
  await session.run(formatChangesTable(terms))
  const changes = await readCounts(session)
  const removedRecords = changes.removed === 0 ? [] : await readRemoved(session)
  const firstIds = removedRecords.map(({ id }) => id)
  checkRemovals({ shown: session.shown, removed: changes.removed, known, firstIds }, load.maxRemoved)
  // DuckDB changes no table that its transaction has written to.
  for (const at of plan.tables.keys()) await extendTable(session, terms, target, at, copied[at] !== null)
  for (const at of plan.tables.keys()) await commentOn(session, plan, target, at)
  const placed: PlacedRows[] = []
  for (const at of plan.tables.keys()) {
    const written = copied[at] ?? null
    placed.push(written === null ? await placeRows(session, terms, target, at) : { written, removed: 0 })
  }
  const rows = plan.tables.map(({ name }, at): [string, number] => {
    const { written = 0, removed = 0 } = placed[at] ?? {}
    return [name, (target.tables[at]?.rows ?? 0) + written - removed]
  })
  for (const at of plan.tables.keys()) if (!target.tables[at]?.exists) await createIndex(session, plan, at)
  const statements = listStateStatements(terms, changes, isFirst, Object.fromEntries(rows))
  for (const statement of statements) await session.run(statement)
  const rowsWritten = placed.map(({ written }) => written)
  const foreignRows = terms.rewritesAll ? await countForeignRows(session, plan) : null
  return { changes, removedRecords, rowsWritten, differences: target.differences, foreignRows }
}

interface PlacedRows {
  readonly written: number
  readonly removed: number
}

async function countForeignRows(session: DatabaseSession, plan: LoadTerms['plan']): Promise<number[]> {
  const counts: number[] = []
  for (const at of plan.tables.keys()) {
    const [row] = await session.rows(formatForeignRows(plan, at))
    counts.push(Number(row?.found))
  }
  return counts
}

async function readCounts(session: DatabaseSession): Promise<ChangeCounts> {
  const changes = session.dialect.formatSessionTable(loadChanges)
  const rows = await session.rows(`SELECT change, CAST(count(*) AS varchar) AS records FROM ${changes} GROUP BY change`)
  return toChangeCounts(rows.map(({ change, records }) => [change, records]))
}

async function extendTable(
  session: DatabaseSession,
  { plan, dialect }: LoadTerms,
  target: CheckedTarget,
  at: number,
  isCreated: boolean,
): Promise<void> {
  const table = qualify(plan, plan.tables[at]?.name ?? '')
  const { exists = false, missing = [] } = target.tables[at] ?? {}
  if (!exists && !isCreated) await session.run(formatCreateTable(table, listTargetColumns(plan, at), dialect))
  for (const column of missing) {
    const statement = `ALTER TABLE ${table} ADD COLUMN ${quoteName(column.name)} ${dialect.formatType(column)}`
    await session.runAlone(table, statement)
  }
}

/** Says what the tables and columns mean that this load creates. */
async function commentOn(
  session: DatabaseSession,
  plan: LoadTerms['plan'],
  target: CheckedTarget,
  at: number,
): Promise<void> {
  const meaning = plan.meanings?.[at]
  if (meaning === undefined) return
  const { exists = false, missing = [] } = target.tables[at] ?? {}
  const created = { isNew: !exists, columns: exists ? missing : listTargetColumns(plan, at) }
  const comments = formatComments(qualify(plan, plan.tables[at]?.name ?? ''), meaning, created)
  if (comments !== null) await session.run(comments)
}

async function placeRows(
  session: DatabaseSession,
  terms: LoadTerms,
  { last, tables }: CheckedTarget,
  at: number,
): Promise<PlacedRows> {
  const { clear, insert } = formatTableStatements(terms, at)
  const isFirst = last === null
  const former = isFirst ? null : await planFormerColumns(session, terms, at, tables[at]?.columns)
  if (former !== null) await session.run(former.keep)
  let removed = 0
  for (const statement of isFirst ? [] : clear) {
    const count = await session.run(statement)
    if (statement.startsWith('DELETE')) removed += count
  }
  const written = await session.run(insert)
  if (former !== null) await session.run(former.restore)
  return { written, removed }
}

async function createIndex(session: DatabaseSession, plan: LoadTerms['plan'], at: number): Promise<void> {
  const { name, idColumn } = plan.tables[at] ?? { name: '', idColumn: '' }
  const statement = session.dialect.formatIndex(qualify(plan, name), [idColumn], false)
  if (statement !== null) await session.run(statement)
}

async function readRemoved(session: DatabaseSession): Promise<RemovedRecord[]> {
  const changes = session.dialect.formatSessionTable(loadChanges)
  const rows = await session.rows(
    `SELECT id, status, replacement FROM ${changes} WHERE change = 'removed' ORDER BY id LIMIT 100`,
  )
  return rows.map(({ id = '', status = null, replacement = null }) => ({ id: id ?? '', status, replacement }))
}

/** Values of columns that the plan has no longer: kept before rows are put in place anew, and put back into them after. */
interface FormerColumns {
  readonly keep: string
  readonly restore: string
}

/**
 * The statements for the former columns of a history's table; null where there is nothing to keep. A version that is still
 * current is deleted and inserted anew, where only the columns of the plan are known.
 */
async function planFormerColumns(
  session: DatabaseSession,
  terms: LoadTerms,
  table: number,
  there: ReadonlyMap<string, string> | undefined,
): Promise<FormerColumns | null> {
  const planned = new Set(listTargetColumns(terms.plan, table).map(({ name }) => name))
  const others = [...(there?.keys() ?? [])].filter((name) => !planned.has(name))
  if (terms.plan.mode !== 'history' || others.length === 0) return null
  const computed = await listComputed(session, terms.plan, table)
  const former = others.filter((name) => !computed.has(name))
  return former.length === 0 ? null : formatFormerColumns(terms, table, former)
}

function formatFormerColumns(terms: LoadTerms, table: number, columns: readonly string[]): FormerColumns {
  const { dialect, plan, rewritesAll } = terms
  const { name = '', idColumn = '', positionColumns = [] } = plan.tables[table] ?? {}
  const history = qualify(plan, name)
  const kept = `_load_former_${table}`
  const keys = [idColumn, ...positionColumns]
  const changes = dialect.formatSessionTable(loadChanges)
  const placed = listPlacedChanges('history', rewritesAll)
  const values = formatFormerValues({ history, changes, idColumn, keys, columns, placed })
  const assigned = columns.map(quoteName).map((column) => `${column} = k.${column}`)
  const isSame = keys.map(quoteName).map((key) => `t.${key} = k.${key}`)
  return {
    keep: `${dialect.createSessionTable} ${quoteName(kept)} AS ${values}`,
    restore: `UPDATE ${history} AS t SET ${assigned.join(', ')}
      FROM ${dialect.formatSessionTable(kept)} AS k WHERE t.is_current AND ${isSame.join(' AND ')}`,
  }
}

/** Columns that the server fills by itself, and that no statement may write. */
async function listComputed(session: DatabaseSession, plan: LoadTerms['plan'], table: number): Promise<Set<string>> {
  const [schema, name] = [plan.target.schema, plan.tables[table]?.name ?? '']
  const rows = await session.rows(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = ${quoteText(schema)} AND table_name = ${quoteText(name)}
      AND (is_generated = 'ALWAYS' OR identity_generation = 'ALWAYS')`,
  )
  return new Set(rows.map((row) => row['name'] ?? ''))
}
