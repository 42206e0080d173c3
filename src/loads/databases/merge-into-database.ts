import { checkRemovals } from '../changes/check-removals.ts'
import { toChangeCounts } from '../changes/compare-records.ts'
import type { ChangeCounts, RemovedRecord } from '../merge-result.ts'
import { quoteName } from '../files/sql-text.ts'
import type { CheckedTarget } from './check-target.ts'
import type { DatabaseChanges, DatabaseLoad } from './database-output.ts'
import type { DatabaseSession } from './database-session.ts'
import { planFormerColumns } from './former-columns.ts'
import { formatChangesTable, formatForeignRows, formatTableStatements, listTargetColumns } from './load-statements.ts'
import { loadChanges, type LoadTerms } from './load-terms.ts'
import { formatCreateTable } from './sql-dialect.ts'
import { countRecords, listStateExtensions, listStateStatements, qualify, runsTable } from './state-tables.ts'

export interface DatabaseTerms extends LoadTerms {
  readonly load: DatabaseLoad
}

/** How the rows of each table got into the transaction. */
export interface LoadedRows {
  /** Rows that were copied into their table at once, as it was empty; null where they are in the session's table. */
  readonly copied: readonly (number | null)[]
}

/**
 * Settles a load that is in the session's tables: compares it with the state, refuses a sudden loss (REMOVED_TOO_MANY),
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
