import { checkRemovals } from '../changes/check-removals.ts'
import { formatFormerValues, listPlacedChanges, toChangeCounts } from '../changes/compare-records.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { CheckedTarget } from './check-target.ts'
import type { DatabaseChanges, DatabaseLoad } from './database-output.ts'
import { formatComments } from './format-comments.ts'
import { formatCreateTable, formatDefinition, type DatabaseSession, type TableDetails } from './sql-dialect.ts'
import {
  formatChangesTable,
  formatForeignRows,
  formatTableStatements,
  listKeyColumns,
  listTargetColumns,
} from './load-statements.ts'
import {
  countRecords,
  formatLostConfig,
  listStateExtensions,
  listStateStatements,
  loadChanges,
  type LoadTerms,
  qualify,
  recordsTableName,
  runsTable,
  stateKeys,
} from './state-tables.ts'
import type { ChangeCounts, RemovedRecord } from '../../manifest/manifest.ts'

export interface DatabaseTerms extends LoadTerms {
  readonly load: DatabaseLoad
}

export interface LoadedRows {
  /** By table: rows copied straight into it, as it was empty; null if they are in the session's table. */
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
  await session.run(formatChangesTable(terms))
  const changes = await readCounts(session)
  const removedRecords = changes.removed === 0 ? [] : await readRemoved(session)
  if (changes.removed > 0) {
    const known = await countRecords(session, plan)
    const firstIds = removedRecords.map(({ id }) => id)
    checkRemovals({ shown: session.shown, removed: changes.removed, known, firstIds }, load.maxRemoved)
  }
  const isExtended = target.tables.some(({ exists, missing }) => exists && missing.length > 0)
  if (terms.dialect.commitsDefinitions === true && isExtended && target.last !== null)
    await session.run(formatLostConfig(plan, target.last))
  // DuckDB changes no table that its transaction has written to.
  for (const at of plan.tables.keys()) await extendTable(session, terms, target, at, copied[at] !== null)
  for (const at of plan.tables.keys()) await commentOn(session, plan, target, at)
  const keyed = await addKeys(session, terms, target)
  await session.begin()
  const hasChanges = terms.rewritesAll || changes.new + changes.changed + changes.touched + changes.removed > 0
  const placed = hasChanges
    ? await placeTables(session, terms, target, keyed, copied)
    : copied.map((inserted): PlacedRows => ({ inserted: inserted ?? 0, updated: 0, removed: 0 }))
  const rows = plan.tables.map(({ name }, at): [string, number] => {
    const { inserted = 0, removed = 0 } = placed[at] ?? {}
    return [name, (target.tables[at]?.rows ?? 0) + inserted - removed]
  })
  for (const at of plan.tables.keys()) await createKey(session, plan, target, at)
  const statements = listStateStatements(terms, changes, isFirst, Object.fromEntries(rows))
  for (const statement of statements) await session.run(statement)
  const rowsWritten = placed.map(({ inserted, updated }) => inserted + updated)
  const foreignRows = terms.rewritesAll ? await countForeignRows(session, plan) : null
  return { changes, removedRecords, rowsWritten, differences: target.differences, foreignRows }
}

/** PostgreSQL's name for the index of an earlier version, whose columns are now the primary key. */
const formerRecordsIndex = `${recordsTableName}_pipeline_id_idx`

interface PlacedRows {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}

/**
 * Adds keys to tables, also of the state, that an earlier version made without one: in a full load. Says for each table
 * of the plan whether it has one.
 */
async function addKeys(
  session: DatabaseSession,
  { plan, load, dialect }: DatabaseTerms,
  target: CheckedTarget,
): Promise<boolean[]> {
  const isAdding = dialect.keys !== 'none' && load.kind === 'full'
  for (const name of isAdding ? target.keylessState : []) {
    const isAdded = await session.addKey(qualify(plan, name), stateKeys[name])
    if (isAdded && dialect.keys === 'filled' && name === recordsTableName)
      await session.run(`DROP INDEX IF EXISTS ${qualify(plan, formerRecordsIndex)}`)
  }
  const keyed: boolean[] = []
  for (const [at, { name }] of plan.tables.entries()) {
    const { isKeyed = false, hasPrimaryKey = false, rows = 0 } = target.tables[at] ?? {}
    const key = listKeyColumns(plan, at)
    const isLacking = isAdding && rows > 0 && !hasPrimaryKey && key !== null
    keyed.push(isLacking ? (await session.addKey(qualify(plan, name), key)) || isKeyed : isKeyed)
  }
  return keyed
}

/** Deletes children first, and inserts parents first. Parents have fewer positions than their children. */
async function placeTables(
  session: DatabaseSession,
  terms: LoadTerms,
  target: CheckedTarget,
  keyed: readonly boolean[],
  copied: LoadedRows['copied'],
): Promise<PlacedRows[]> {
  const { tables } = terms.plan
  const depthOf = (at: number) => tables[at]?.positionColumns.length ?? 0
  const placed = tables.map((_, at): PlacedRows => ({ inserted: copied[at] ?? 0, updated: 0, removed: 0 }))
  const order = [...tables.keys()].filter((at) => copied[at] === null).toSorted((a, b) => depthOf(a) - depthOf(b))
  const steps: TableSteps[] = []
  for (const at of order) steps.push(await planSteps(session, terms, target, at, keyed[at] === true))
  for (const step of steps.toReversed()) placed[step.at] = { inserted: 0, updated: 0, removed: await step.clear() }
  for (const step of steps) placed[step.at] = { ...(placed[step.at] as PlacedRows), ...(await step.place()) }
  return placed
}

interface TableSteps {
  readonly at: number
  clear(): Promise<number>
  place(): Promise<Omit<PlacedRows, 'removed'>>
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
  const rows = await session.rows(`SELECT "change", count(*) AS records FROM ${changes} GROUP BY "change"`)
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
  const meaning = plan.meanings?.[at]
  if (!exists && !isCreated)
    await session.run(
      formatCreateTable(table, listTargetColumns(plan, at), dialect, { ...listKeys(dialect, plan, at), meaning }),
    )
  for (const column of missing) {
    const added = formatDefinition(column, dialect, false, meaning)
    await session.runAlone(table, `ALTER TABLE ${table} ADD COLUMN ${added}`)
  }
}

function listKeys({ keys }: LoadTerms['dialect'], plan: LoadTerms['plan'], at: number): TableDetails {
  if (keys !== 'created') return {}
  const primaryKey = listKeyColumns(plan, at)
  return primaryKey === null ? { index: [plan.tables[at]?.idColumn ?? ''] } : { primaryKey }
}

async function commentOn(
  session: DatabaseSession,
  plan: LoadTerms['plan'],
  target: CheckedTarget,
  at: number,
): Promise<void> {
  const meaning = plan.meanings?.[at]
  if (meaning === undefined || session.dialect.inline !== undefined) return
  const { exists = false, missing = [] } = target.tables[at] ?? {}
  const created = { isNew: !exists, columns: exists ? missing : listTargetColumns(plan, at) }
  const comments = formatComments(qualify(plan, plan.tables[at]?.name ?? ''), meaning, created)
  if (comments !== null) await session.run(comments)
}

async function planSteps(
  session: DatabaseSession,
  terms: LoadTerms,
  { last, tables }: CheckedTarget,
  at: number,
  isInPlace: boolean,
): Promise<TableSteps> {
  const isFirst = last === null
  const others = isFirst ? [] : await listOtherColumns(session, terms.plan, at, tables[at]?.columns)
  const emptied = others.filter(({ isEmptied }) => isEmptied && terms.plan.mode !== 'history').map(({ name }) => name)
  const { clear, update, insert } = formatTableStatements(terms, at, { isInPlace, emptied })
  const keepsFormer = terms.plan.mode === 'history' && !isInPlace && others.length > 0
  const former = keepsFormer
    ? formatFormerColumns(
        terms,
        at,
        others.map(({ name }) => name),
      )
    : null
  return {
    at,
    async clear() {
      if (former !== null) await session.run(former.keep)
      let removed = 0
      for (const statement of isFirst ? [] : clear) {
        const count = await session.run(statement)
        if (statement.startsWith('DELETE ')) removed += count
      }
      return removed
    },
    async place() {
      const updated = update === null || isFirst ? 0 : await session.run(update)
      const inserted = await session.run(insert)
      if (former !== null) await session.run(former.restore)
      return { inserted, updated }
    },
  }
}

/** Gives a table that was missing or empty its key, or an index: after its rows, as that takes less time. */
async function createKey(
  session: DatabaseSession,
  plan: LoadTerms['plan'],
  target: CheckedTarget,
  at: number,
): Promise<void> {
  const { exists = false, rows = 0, hasPrimaryKey = false } = target.tables[at] ?? {}
  if (session.dialect.keys !== 'filled' || rows > 0 || hasPrimaryKey) return
  const { name, idColumn } = plan.tables[at] ?? { name: '', idColumn: '' }
  const key = listKeyColumns(plan, at)
  if (key !== null && (await session.addKey(qualify(plan, name), key))) return
  if (!exists) await session.run(`CREATE INDEX ON ${qualify(plan, name)} (${quoteName(idColumn)})`)
}

async function readRemoved(session: DatabaseSession): Promise<RemovedRecord[]> {
  const changes = session.dialect.formatSessionTable(loadChanges)
  const rows = await session.rows(
    `SELECT id, status, replacement FROM ${changes} WHERE "change" = 'removed' ORDER BY id LIMIT 100`,
  )
  return rows.map(({ id = '', status = null, replacement = null }) => ({ id: id ?? '', status, replacement }))
}

/** A column outside the plan: an earlier config had it, or somebody else added it. */
interface OtherColumn {
  readonly name: string
  /** Rows with new values lose its value, as nothing else fills it. */
  readonly isEmptied: boolean
}

/** Leaves out columns that the server fills by itself, which no statement may write. */
async function listOtherColumns(
  session: DatabaseSession,
  plan: LoadTerms['plan'],
  table: number,
  there: ReadonlyMap<string, string> | undefined,
): Promise<OtherColumn[]> {
  const planned = new Set(listTargetColumns(plan, table).map(({ name }) => name))
  const others = [...(there?.keys() ?? [])].filter((name) => !planned.has(name))
  if (others.length === 0) return []
  const { isGenerated, isEmptied } = session.dialect.columnFacts
  const rows = await session.rows(
    `SELECT column_name AS name, CASE WHEN ${isEmptied} THEN 'emptied' END AS emptied FROM information_schema.columns
      WHERE table_schema = ${quoteText(plan.target.schema)} AND table_name = ${quoteText(plan.tables[table]?.name ?? '')}
      AND NOT (${isGenerated})`,
  )
  return rows.flatMap(({ name, emptied }) =>
    name && others.includes(name) ? [{ name, isEmptied: emptied === 'emptied' }] : [],
  )
}

/** Values of columns that the plan no longer has: saved before rows are inserted anew, and restored after. */
interface FormerColumns {
  readonly keep: string
  readonly restore: string
}

/** Saves the values, as a current version is deleted and inserted anew with the columns of the plan alone. */
function formatFormerColumns(terms: LoadTerms, table: number, columns: readonly string[]): FormerColumns {
  const { dialect, plan, rewritesAll } = terms
  const { name = '', idColumn = '', positionColumns = [] } = plan.tables[table] ?? {}
  const history = qualify(plan, name)
  const kept = `_load_former_${table}`
  const keys = [idColumn, ...positionColumns]
  const changes = dialect.formatSessionTable(loadChanges)
  const placed = listPlacedChanges('history', rewritesAll)
  const former = formatFormerValues({ history, changes, idColumn, keys, columns, placed })
  const values = columns.map((column) => [column, `k.${quoteName(column)}`] as const)
  const isSame = keys.map(quoteName).map((key) => `t.${key} = k.${key}`)
  return {
    keep: dialect.formatSessionTableAs(kept, former),
    restore: dialect.formatUpdate({
      table: history,
      as: 't',
      values,
      from: `${dialect.formatSessionTable(kept)} AS k`,
      where: `t.is_current AND ${isSame.join(' AND ')}`,
    }),
  }
}
