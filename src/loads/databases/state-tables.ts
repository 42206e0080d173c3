import type { Column } from '../../records/flatten/column.ts'
import type { ColumnType } from '../../types/column-types.ts'
import { quoteName, quoteText } from '../files/sql-text.ts'
import type { CommittedLoad, DatabaseLoad, DatabaseOutputPlan, StaleMemory } from './database-output.ts'
import { formatCreateTable, type DatabaseSession, type SqlDialect } from './sql-dialect.ts'
import type { ChangeCounts } from '../../manifest/manifest.ts'

interface SchemaPlan {
  readonly target: { readonly schema: string; readonly catalog?: string }
}

/** `"schema"."table"`, after the catalog if there is one. */
export function qualify({ target: { catalog, schema } }: SchemaPlan, table: string): string {
  return [...(catalog === undefined ? [] : [catalog]), schema, table].map(quoteName).join('.')
}

export const runsTableName = '_catalogue_etl_runs'
export const recordsTableName = '_catalogue_etl_records'

/** The table with a row for each load. */
export function runsTable(plan: SchemaPlan): string {
  return qualify(plan, runsTableName)
}

/**
 * The table with a row for each record of a pipeline, with its content hash; removed records are kept with
 * `removed_at`.
 */
export function recordsTable(plan: SchemaPlan): string {
  return qualify(plan, recordsTableName)
}

export function listStateTables(plan: SchemaPlan, dialect: SqlDialect): string[] {
  const keyOf = (key: readonly string[]) => (dialect.keys === 'none' ? [] : key)
  return [
    formatCreateTable(runsTable(plan), runColumns, dialect, { primaryKey: keyOf(stateKeys[runsTableName]) }),
    formatCreateTable(recordsTable(plan), stateColumns, dialect, { primaryKey: keyOf(stateKeys[recordsTableName]) }),
  ]
}

export const stateKeys = {
  [runsTableName]: ['pipeline', 'run_number'],
  [recordsTableName]: ['pipeline', 'id'],
} as const

export function listStateStatements(
  { dialect, plan, load }: Omit<LoadTerms, 'rewritesAll'> & { readonly load: DatabaseLoad },
  counts: ChangeCounts,
  isFirst: boolean,
  rows: TableRows,
): string[] {
  const [state, changes] = [recordsTable(plan), dialect.formatSessionTable(loadChanges)]
  const pipeline = quoteText(plan.pipeline)
  const ofPipeline = `s.pipeline = ${pipeline} AND s.id = c.id`
  const isHere = "c.change IN ('new', 'changed', 'touched')"
  const names = stateColumns.map(({ name }) => name).join(', ')
  const joined = { table: state, as: 's', from: `${changes} AS c` }
  return [
    ...(isFirst ? [] : [dialect.formatDelete({ ...joined, where: `${ofPipeline} AND ${isHere}` })]),
    `INSERT INTO ${state} (${names}) SELECT ${pipeline}, c.id, c.content_hash, c.updated_at, NULL, c.valid_from, c.status, c.replacement FROM ${changes} AS c WHERE ${isHere}`,
    ...(counts.removed === 0
      ? []
      : [
          dialect.formatUpdate({
            ...joined,
            values: [['removed_at', 'c.removed_at']],
            where: `${ofPipeline} AND c.change = 'removed'`,
          }),
        ]),
    formatRun({ dialect, plan, load }, counts, rows),
  ]
}

function formatRun(
  { dialect, plan, load }: Omit<LoadTerms, 'rewritesAll'> & { readonly load: DatabaseLoad },
  counts: ChangeCounts,
  rows: TableRows,
): string {
  const pipeline = quoteText(plan.pipeline)
  const runs = runsTable(plan)
  // A load that fills in earlier time leaves `synced_until` unchanged.
  const syncedUntil =
    load.syncedUntil === null
      ? `(SELECT synced_until FROM ${runs} WHERE pipeline = ${pipeline} ORDER BY run_number DESC LIMIT 1)`
      : dialect.formatDateTime(load.syncedUntil)
  const values = [
    pipeline,
    `(SELECT coalesce(max(run_number), 0) + 1 FROM ${runs} WHERE pipeline = ${pipeline})`,
    quoteText(load.runId),
    quoteText(load.kind),
    quoteText(plan.mode),
    dialect.formatDateTime(load.startedAt),
    syncedUntil,
    quoteText(load.configHash),
    quoteText(JSON.stringify(plan.tables.map(({ name }) => name))),
    ...[counts.new, counts.changed, counts.touched, counts.unchanged, counts.removed].map(String),
    'now()',
    quoteText(JSON.stringify(rows)),
    load.stale ? quoteText(JSON.stringify(load.stale)) : 'NULL',
  ]
  return `INSERT INTO ${runs} (${runColumns.map(({ name }) => name).join(', ')}) SELECT ${values.join(', ')}`
}

/**
 * Makes the next load a full one, whatever its config, unless this one completes: a column that is added and committed before
 * its rows looks like one that was loaded.
 */
export function formatLostConfig(plan: LoadTerms['plan'], { runId }: CommittedLoad): string {
  return `UPDATE ${runsTable(plan)} SET config_hash = '' WHERE pipeline = ${quoteText(plan.pipeline)} AND run_id = ${quoteText(runId)}`
}

/** Adds what the state of an earlier version lacks. */
export function listStateExtensions(
  plan: SchemaPlan,
  dialect: SqlDialect,
  found: ReadonlyMap<string, string> | undefined,
): string[] {
  const missing = found === undefined ? [] : addedColumns.filter(({ name }) => !found.has(name))
  return missing.map(
    (each) => `ALTER TABLE ${runsTable(plan)} ADD COLUMN IF NOT EXISTS ${each.name} ${dialect.formatType(each)}`,
  )
}

export type TableRows = Readonly<Record<string, number>>

export interface LastLoad extends CommittedLoad {
  readonly tables: readonly string[]
  /** Empty if an earlier version did not record them. */
  readonly rows: TableRows
}

/** The last load of a pipeline; null if there is none. `found` are the columns of the table of loads. */
export async function readLastLoad(
  session: DatabaseSession,
  plan: Pick<LoadTerms['plan'], 'pipeline' | 'target'>,
  found: ReadonlyMap<string, string>,
): Promise<LastLoad | null> {
  const milliseconds = (name: string) => `${session.dialect.formatMilliseconds(name)} AS ${name}`
  const textOrNull = (name: string) => (found.has(name) ? name : `NULL AS ${name}`)
  const [row] = await session.rows(
    `SELECT run_id, kind, mode, ${milliseconds('started_at')}, ${found.has('synced_until') ? milliseconds('synced_until') : 'NULL AS synced_until'},
      config_hash, tables, ${textOrNull('table_rows')}, ${textOrNull('stale')},
      (SELECT ${session.dialect.formatMilliseconds('max(started_at)')} FROM ${runsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)} AND kind = 'full') AS last_full_at
    FROM ${runsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)} ORDER BY run_number DESC LIMIT 1`,
  )
  if (row === undefined) return null
  return {
    runId: String(row.run_id),
    kind: row.kind as DatabaseLoad['kind'],
    mode: row.mode as DatabaseOutputPlan['mode'],
    startedAt: new Date(Number(row.started_at)),
    syncedUntil: row.synced_until === null ? null : new Date(Number(row.synced_until)),
    lastFullAt: typeof row.last_full_at === 'string' ? new Date(Number(row.last_full_at)) : null,
    configHash: String(row.config_hash),
    stale: typeof row.stale === 'string' ? (JSON.parse(row.stale) as StaleMemory) : null,
    tables: JSON.parse(String(row.tables)) as string[],
    rows: JSON.parse(row.table_rows ?? '{}') as TableRows,
  }
}

export async function readFormerTables(session: DatabaseSession, plan: LoadTerms['plan']): Promise<string[]> {
  const rows = await session.rows(
    `SELECT DISTINCT tables FROM ${runsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)}`,
  )
  return rows.flatMap(({ tables }) => JSON.parse(String(tables)) as string[])
}

export async function countRows(session: DatabaseSession, plan: SchemaPlan, table: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) AS found FROM ${qualify(plan, table)}`)
  return Number(row?.found)
}

export async function countRecords(session: DatabaseSession, plan: LoadTerms['plan']): Promise<number> {
  const [row] = await session.rows(
    `SELECT count(*) AS records FROM ${recordsTable(plan)} WHERE pipeline = ${quoteText(plan.pipeline)} AND removed_at IS NULL`,
  )
  return Number(row?.records)
}

function column(name: string, kind: Exclude<ColumnType['kind'], 'decimal'>): Column {
  return { name, type: { kind }, list: false }
}

const stateColumns = [
  column('pipeline', 'text'),
  column('id', 'text'),
  column('content_hash', 'text'),
  column('updated_at', 'timestamp'),
  column('removed_at', 'timestamp'),
  column('valid_from', 'timestamp'),
  column('status', 'text'),
  column('replacement', 'text'),
]

const runColumns = [
  column('pipeline', 'text'),
  column('run_number', 'integer'),
  column('run_id', 'text'),
  column('kind', 'text'),
  column('mode', 'text'),
  column('started_at', 'timestamp'),
  column('synced_until', 'timestamp'),
  column('config_hash', 'text'),
  column('tables', 'text'),
  column('records_new', 'integer'),
  column('records_changed', 'integer'),
  column('records_touched', 'integer'),
  column('records_unchanged', 'integer'),
  column('records_removed', 'integer'),
  column('loaded_at', 'timestamp'),
  column('table_rows', 'text'),
  column('stale', 'text'),
]

const addedColumns = runColumns.filter(({ name }) => ['synced_until', 'table_rows', 'stale'].includes(name))

export interface LoadTerms {
  readonly dialect: SqlDialect
  readonly plan: Omit<DatabaseOutputPlan, 'target'> & {
    readonly target: { readonly schema: string; readonly catalog?: string }
  }
  readonly load: Pick<DatabaseLoad, 'kind' | 'runId' | 'startedAt'>
  readonly rewritesAll: boolean
}

/** The temporary table with the load's records: `recordColumns`. */
export const loadedRecords = '_load_records'
/** The temporary table with a row for each record of the load, and for each removed one. */
export const loadChanges = '_load_changes'

export function loadedTable(table: number): string {
  return `_load_${table}`
}
