import { CatalogueError } from '../../errors.ts'
import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { CommittedLoad, LoadStart, TargetState } from './database-output.ts'
import type { DatabaseSession } from './sql-dialect.ts'
import { listKeyColumns, listTargetColumns } from './load-statements.ts'
import {
  countRows,
  loadedRecords,
  qualify,
  readFormerTables,
  readLastLoad,
  recordsTableName,
  runsTableName,
  type stateKeys,
  type LoadTerms,
  type LastLoad,
} from './state-tables.ts'

export interface CheckedTarget extends TargetState {
  /** Columns of the table of loads; undefined if it does not exist. */
  readonly stateColumns: ReadonlyMap<string, string> | undefined
  /** Tables of the state that an earlier version made without a primary key. */
  readonly keylessState: readonly (keyof typeof stateKeys)[]
  readonly tables: readonly CheckedTable[]
}

export interface CheckedTable {
  readonly exists: boolean
  readonly missing: readonly Column[]
  /** Types by column; undefined if there is no table. */
  readonly columns: ReadonlyMap<string, string> | undefined
  readonly rows: number
  /** The database keeps keys (`listKeyColumns`) unique. */
  readonly isKeyed: boolean
  readonly hasPrimaryKey: boolean
}

export const neverLoaded = 'the target has no state of this pipeline yet'

type Plan = LoadTerms['plan']
type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Compares the tables of the target with those of the plan, and decides whether a load can follow the last one. Throws
 * TARGET_MISMATCH with every column that has another type, and the statements that would change them.
 */
export async function checkTarget(session: DatabaseSession, plan: Plan, configHash: string): Promise<CheckedTarget> {
  checkNames(session, plan)
  await checkKinds(session, plan)
  const found = await session.readTables(plan.target.schema)
  const stateColumns = found.get(runsTableName)
  const last = stateColumns === undefined ? null : await readLastLoad(session, plan, stateColumns)
  checkMode(session, plan, last)
  const there = plan.tables.filter(({ name }) => found.has(name))
  await session.awaitReading(there.map(({ name }) => qualify(plan, name)))
  const uniqueKeys = await session.readUniqueKeys(plan.target.schema)
  const tables: CheckedTable[] = []
  for (const [at, { name }] of plan.tables.entries()) {
    const rows = found.has(name) ? await countRows(session, plan, name) : 0
    const keys = uniqueKeys.get(name) ?? []
    const key = listKeyColumns(plan, at)
    const isKeyed = key !== null && keys.some(({ columns }) => isSameSet(columns, key))
    const hasPrimaryKey = keys.some(({ isPrimary }) => isPrimary)
    tables.push({ ...toCheckedTable(found.get(name), listTargetColumns(plan, at)), rows, isKeyed, hasPrimaryKey })
  }
  checkTypes(session, plan, found)
  await checkOwnership(session, plan, found, last?.tables ?? [])
  const differences = listDifferences(plan, last, tables)
  const needsFull = findReasonForFull(plan, configHash, last, tables) ?? describeDifferences(plan, differences)
  const keylessState = ([runsTableName, recordsTableName] as const).filter(
    (name) => found.has(name) && uniqueKeys.get(name)?.some(({ isPrimary }) => isPrimary) !== true,
  )
  return { last, tables, stateColumns, keylessState, differences, needsFull }
}

/** Refuses a delta that would leave a gap after the last load, or rows as an earlier config made them. */
export function checkJoin(shown: string, { last, needsFull }: TargetState, load: LoadStart): void {
  if (load.kind === 'full') return
  const fills = load.since === null
  const reason = fills && last === null ? null : (needsFull ?? findGap(last, load.since))
  if (reason === null) return
  // A run has chosen what to read by the state that it found in the target.
  if (!fills) throw changedMeanwhile(shown, reason)
  throw new CatalogueError('TARGET_MISMATCH', `${shown}: expected a full load, got a delta: ${reason}`, {
    fix: 'Run once with `--full-refresh`.',
  })
}

export async function checkUnchanged(session: DatabaseSession, plan: Plan, target: CheckedTarget): Promise<void> {
  const found = await session.readTables(plan.target.schema)
  for (const [at, { name }] of plan.tables.entries()) {
    const { columns: before, rows = 0 } = target.tables[at] ?? {}
    if (before === undefined) continue
    const table = qualify(plan, name)
    const columns = found.get(name)
    if (columns === undefined) throw changedMeanwhile(session.shown, `table ${table} is gone`)
    if (JSON.stringify([...columns]) !== JSON.stringify([...before]))
      throw changedMeanwhile(session.shown, `table ${table} has other columns`)
    if (rows > 0 && (await session.rows(`SELECT 'x' AS found FROM ${table} LIMIT 1`)).length === 0)
      throw changedMeanwhile(session.shown, `table ${table} was emptied`)
  }
}

/** Refuses a load with a record twice. Rejects are no records: see record-table.ts. */
export async function checkEachOnce(session: DatabaseSession): Promise<void> {
  const [twice] = await session.rows(
    `SELECT id FROM ${session.dialect.formatSessionTable(loadedRecords)} WHERE (content_hash IS NULL OR content_hash <> '') GROUP BY id HAVING count(*) > 1 LIMIT 1`,
  )
  if (twice === undefined) return
  throw new CatalogueError(
    'TARGET_REFUSED',
    `${session.shown}: expected each record once in a load, got "${twice.id}" twice`,
  )
}

function changedMeanwhile(shown: string, what: string): CatalogueError {
  const message = `${shown}: expected tables as the run found them when it began, got others: ${what}`
  const title = 'A database was changed while a run was loading it'
  return new CatalogueError('TARGET_FAILED', message, { title, fix: 'Run again: the next run loads what is missing.' })
}

/** Tells whether unchanged records are compared with their rows, too, which somebody may have changed. */
export function rewritesAll({ kind }: LoadStart, { last }: TargetState): boolean {
  return kind === 'full' && last !== null
}

function findGap(last: CommittedLoad | null, since: Date | null): string | null {
  if (since === null || (last?.syncedUntil && since <= last.syncedUntil)) return null
  const syncedUntil = last?.syncedUntil?.toISOString() ?? 'no time'
  return `its changes begin at ${since.toISOString()}, the target has everything until ${syncedUntil}`
}

function findReasonForFull(
  { tables }: Plan,
  configHash: string,
  last: CommittedLoad | null,
  checked: readonly CheckedTable[],
): string | null {
  if (last === null) return neverLoaded
  if (last.configHash !== configHash) return 'the last load had another config'
  const lacking = tables.filter((_, at) => !checked[at]?.exists || checked[at].missing.length > 0)
  return lacking.length === 0
    ? null
    : `${lacking.map(({ name }) => `table "${name}"`).join(', ')} lacks columns or is gone`
}

/** Lists tables with another number of rows than the last load left: they were emptied, filled or restored since. */
function listDifferences(
  { tables }: Plan,
  last: LastLoad | null,
  checked: readonly CheckedTable[],
): TargetState['differences'] {
  return tables.flatMap(({ name }, at) => {
    const expected = last?.rows[name]
    const { exists = false, rows: got = 0 } = checked[at] ?? {}
    return expected === undefined || !exists || got === expected ? [] : [{ table: name, expected, got }]
  })
}

/** A full load does not restore a table that is only added to. */
function describeDifferences({ mode }: Plan, differences: TargetState['differences']): string | null {
  if (mode === 'append' || differences.length === 0) return null
  return differences
    .map(({ table, expected, got }) => `table "${table}" has ${got} rows, and the last load left ${expected}`)
    .join(', ')
}

async function checkKinds(session: DatabaseSession, plan: Plan): Promise<void> {
  const others = await session.readOtherKinds(plan.target.schema)
  const wrong = [...plan.tables.map(({ name }) => name), runsTableName, recordsTableName].flatMap((name) => {
    const kind = others.get(name)
    return kind === undefined ? [] : [`${qualify(plan, name)}: expected a table or nothing, got ${kind}`]
  })
  if (wrong.length === 0) return
  const fix = 'Name another schema, or give what is there another name.'
  throw new CatalogueError('TARGET_MISMATCH', `${session.shown}: ${wrong.join('; ')}`, { fix })
}

/** The database would cut longer names, which might then be equal. */
function checkNames({ shown, dialect }: DatabaseSession, plan: Plan): void {
  const { maxNameBytes } = dialect
  const names = [
    plan.target.schema,
    ...plan.tables.flatMap(({ name }, at) => [name, ...listTargetColumns(plan, at).map((column) => column.name)]),
  ]
  const long = [...new Set(names)].filter((name) => Buffer.byteLength(name) > maxNameBytes)
  if (long.length === 0) return
  const message = `${shown}: expected names of at most ${maxNameBytes} bytes, got ${long.map((name) => `"${name}"`).join(', ')}`
  const fix = 'Give them shorter names in the config: `{ column: short_name, from: the.path }`.'
  throw new CatalogueError('TARGET_MISMATCH', message, { fix })
}

/** Snapshots and merges make the same tables; loads of other modes can't follow each other. */
function checkMode({ shown }: DatabaseSession, plan: Plan, last: CommittedLoad | null): void {
  if (last === null || toKind(last.mode) === toKind(plan.mode)) return
  const message = `${shown}: expected what loads of mode ${plan.mode} left, got what mode ${last.mode} left (pipeline "${plan.pipeline}")`
  throw new CatalogueError('TARGET_MISMATCH', message, { fix: 'Name another schema for this mode.' })
}

function toKind(mode: Plan['mode']): Plan['mode'] {
  return mode === 'snapshot' ? 'merge' : mode
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each))
}

function toCheckedTable(
  found: ReadonlyMap<string, string> | undefined,
  columns: readonly Column[],
): Pick<CheckedTable, 'exists' | 'missing' | 'columns'> {
  return found === undefined
    ? { exists: false, missing: [], columns: found }
    : { exists: true, columns: found, missing: columns.filter(({ name }) => !found.has(name)) }
}

function checkTypes({ shown, dialect }: DatabaseSession, plan: Plan, tables: Tables): void {
  const wrong = plan.tables.flatMap(({ name }, at) => {
    const found = tables.get(name)
    return listTargetColumns(plan, at).flatMap((column) => {
      const type = found?.get(column.name)
      const where = `table ${qualify(plan, name)}, column ${quoteName(column.name)}`
      if (type === undefined) {
        const other = dialect.foldsColumns === true ? findFolded(found, column.name) : undefined
        if (other === undefined) return []
        const renaming = `ALTER TABLE ${qualify(plan, name)} RENAME COLUMN ${quoteName(other)} TO ${quoteName(column.name)}`
        const message = `${where}: expected this name or none like it, got ${quoteName(other)}`
        return [{ message, statement: toShown(dialect, renaming) }]
      }
      if (dialect.fits(column, type)) return []
      const message = `${where}: expected ${dialect.formatType(column)}, got ${type}`
      return [{ message, statement: toShown(dialect, dialect.formatTypeChange(qualify(plan, name), column)) }]
    })
  })
  if (wrong.length === 0) return
  throw new CatalogueError('TARGET_MISMATCH', `${shown}: ${wrong.map(({ message }) => message).join('; ')}`, {
    fix: `Where every value can be converted: ${wrong.map(({ statement }) => `${statement};`).join(' ')}`,
  })
}

function findFolded(found: ReadonlyMap<string, string> | undefined, name: string): string | undefined {
  return [...(found?.keys() ?? [])].find((other) => other.toLowerCase() === name.toLowerCase())
}

function toShown({ toShown: show = (sql) => sql }: DatabaseSession['dialect'], statement: string): string {
  return show(statement)
}

/** A table with rows that no load of this pipeline wrote belongs to others. */
async function checkOwnership(
  session: DatabaseSession,
  plan: Plan,
  tables: Tables,
  own: readonly string[],
): Promise<void> {
  for (const { name } of plan.tables) {
    if (!tables.has(name) || own.includes(name)) continue
    const [row] = await session.rows(`SELECT ${quoteText('x')} AS found FROM ${qualify(plan, name)} LIMIT 1`)
    if (row === undefined) continue
    const table = qualify(plan, name)
    // The table missed changes while the config left it out.
    if (tables.has(runsTableName) && (await readFormerTables(session, plan)).includes(name)) {
      const message = `${session.shown}: table ${table}: expected rows of the last load or none, got rows of loads before the last one, which had another config`
      throw new CatalogueError('TARGET_MISMATCH', message, {
        fix: `\`${toShown(session.dialect, `DELETE FROM ${table}`)};\` lets the next run fill it anew.`,
      })
    }
    const message = `${session.shown}: table ${table}: expected rows of pipeline "${plan.pipeline}" only or none, got rows that it has not loaded`
    throw new CatalogueError('TARGET_MISMATCH', message, { fix: 'Name another schema, or empty the table.' })
  }
}
