import { listFileModeColumns } from '../../plan/outputs/output-mode.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import type { Column } from '../../records/flatten/column.ts'
import { recordColumns } from '../../records/record-table.ts'
import {
  type Change,
  formatChanges,
  formatFormerValues,
  formatHash,
  listPlacedChanges,
} from '../changes/compare-records.ts'
import type { ChangeLink, Load } from '../merge-result.ts'
import { damagedBaseline, type Duckdb } from './open-duckdb.ts'
import { defaultPartition } from './part-paths.ts'
import { formatNull, formatParquetFiles, formatSqlType, quoteName, quoteText } from './sql-text.ts'

export interface RowSet {
  readonly table: KeyedTable
  /** `records` is the state itself: the load's records with their `changes`. */
  readonly mode: FilePlan['mode'] | 'records'
  readonly removed: FilePlan['removed']
  readonly partitionBy: readonly string[]
  /** The columns of the table and those that the mode adds. */
  readonly columns: readonly Column[]
  readonly loaded: string
  readonly baseline: TableBaseline | null
  /** Takes the rows of unchanged records from the load, too. */
  readonly rewritesAll: boolean
  /** Keeps the rows of touched records as they are, unless all are rewritten. Default false. */
  readonly keepsTouched?: boolean
  /** The files of the baseline, by number, whose unchanged rows are written again. Default: all. */
  readonly rewrittenFiles?: readonly number[]
  /** With `changes`. */
  readonly link?: ChangeLink | null | undefined
  /** With `changes`: the records of the state, as SQL that may follow FROM; null if there is none. */
  readonly records?: string | null
  /** With `changes`. */
  readonly root?: RootBaseline | null | undefined
  /** SQL of the columns that have one value in all rows of the load, by name. Default: none. */
  readonly constants?: Readonly<Record<string, string>>
}

/** The merged files of the table without `each` whose rows are the changed records; null if there are none. */
export interface RootBaseline extends Pick<KeyedTable, 'idColumn'> {
  readonly files: readonly string[] | null
}

export interface TableBaseline {
  /** SQL that may follow FROM; null if there are no rows. */
  readonly rows: string | null
  readonly columnNames: ReadonlySet<string>
}

/**
 * The queries for the rows of a set: `kept` are unchanged rows of the baseline, `placed` are all others; null if there
 * can be none. Both select the columns `c0`, `c1`, … of the set, then the texts of the partition.
 */
export interface RowQueries {
  readonly kept: string | null
  readonly placed: string
  /** The columns that order the rows, of `kept` as of `placed`; none if they keep the order of the load. */
  readonly order: readonly number[]
  /** Further columns of the order, for the rows of one record. */
  readonly positions: readonly number[]
}

export function toRowQueries(set: RowSet): RowQueries {
  const { columns, partitionBy, table, mode } = set
  const partitions = partitionBy.map((_, index) => columns.length + index)
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name)
  const order = [...partitions, indexOf(table.idColumn), ...(mode === 'history' ? [indexOf('valid_from')] : [])]
  if (mode === 'snapshot' && partitionBy.length === 0 && !set.baseline?.rows)
    return { kept: null, placed: selectLoaded(set, null), order: [], positions: [] }
  const key = { order, positions: table.positionColumns.map(indexOf) }
  return { kept: selectKept(set), placed: sortRows(key, selectPlaced(set)), ...key }
}

type RowKey = Pick<RowQueries, 'order' | 'positions'>

/** Selects a row if any rows are out of order. */
export function selectDisorder({ order, positions }: RowKey, query: string): string {
  const key = `ROW(${[...order, ...positions].map((index) => `c${index}`).join(', ')})`
  return `SELECT 1 FROM (SELECT ${key} < lag(${key}) OVER () AS descends FROM (${query})) WHERE descends LIMIT 1`
}

/** Orders the rows of a query. Rows of equal keys keep the order of their files. */
export function sortRows({ order, positions }: RowKey, query: string): string {
  return `${query} ORDER BY ${[...order, ...positions].map((index) => `c${index}`).join(', ')}, file, line`
}

/** Selects the baseline's rows of unchanged records, past versions of a history, and whatever `append` is given. */
function selectKept(set: RowSet): string | null {
  const { baseline, mode, removed } = set
  if (!baseline?.rows || set.rewrittenFiles?.length === 0 || mode === 'changes') return null
  const rows = `SELECT ${selectCells(set, baselineCell(baseline, mode))} FROM ${baseline.rows} r`
  const hides = mode === 'merge' && removed === 'drop' && baseline.columnNames.has('_removed_at')
  const conditions = [
    ...(set.rewrittenFiles === undefined ? [] : [`r.file_index IN (${set.rewrittenFiles.join(', ')})`]),
    ...(hides ? ['r._removed_at IS NULL'] : []),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  if (mode === 'append') return `${rows}${where}`
  const changes = [...listPlaced(set, mode === 'snapshot' || set.rewritesAll), 'removed'] as const
  const replaced = `(SELECT id, true AS is_current FROM changes WHERE change IN ${formatChanges(changes)}) replaced`
  const isReplaced = `r.${quoteName(set.table.idColumn)} = replaced.id`
  return `${rows} ANTI JOIN ${replaced} ON ${isReplaced}${mode === 'history' ? ' AND r.is_current = replaced.is_current' : ''}${where}`
}

/** The changes whose rows come from the load. */
export function listPlaced(
  { mode, keepsTouched = false, link }: Pick<RowSet, 'mode' | 'keepsTouched' | 'link'>,
  takesAll: boolean,
): readonly Change[] {
  if (mode === 'changes') return link?.placed ?? []
  const changes = listPlacedChanges(mode === 'snapshot' ? 'merge' : mode, takesAll)
  return keepsTouched && !takesAll ? changes.filter((change) => change !== 'touched') : changes
}

function selectPlaced(set: RowSet): string {
  const loaded = selectLoaded(set, listLoadedChanges(set))
  const queries = [loaded, selectEnded(set), selectTombstones(set), selectUnread(set)]
  return queries.filter((query) => query !== null).join(' UNION ALL ')
}

/** The changes whose rows are taken from the load; null for all. */
function listLoadedChanges(set: RowSet): readonly Change[] | null {
  return set.mode === 'snapshot' ? null : listPlaced(set, set.baseline === null || set.rewritesAll)
}

function selectLoaded(set: RowSet, changes: readonly Change[] | null): string {
  const former = changes === null ? null : selectFormer(set, changes)
  const isVersioned = set.mode === 'history' || set.mode === 'records'
  const cells = selectCells(set, (column) => {
    if (column.name === 'valid_from' && isVersioned) return 'changes.valid_from'
    if (column.name === 'is_current' && set.mode === 'history') return 'true'
    if (column.name === '_change' && set.mode === 'changes') return formatPlacedChange(set.link)
    if (column.name === '_changed_at' && set.mode === 'changes') return 'changes.valid_from'
    const constant = set.constants?.[column.name]
    if (constant !== undefined) return constant
    if (former?.names.has(column.name) === true) return `former.${quoteName(column.name)}`
    return set.table.columns.some(({ name }) => name === column.name)
      ? `r.${quoteName(column.name)}`
      : formatNull(column)
  })
  const from = `SELECT ${cells} FROM ${formatParquetFiles([set.loaded])} r`
  if (changes === null) return from
  const joined = `${from} JOIN ${selectChanges(changes)} ON r.${quoteName(set.table.idColumn)} = changes.id`
  // Rejects are among the load's records, also beside a record of the same id.
  if (set.mode === 'records') return `${joined} WHERE r.content_hash <> ''`
  return former === null ? joined : `${joined} LEFT JOIN ${former.query}`
}

function selectFormer(set: RowSet, changes: readonly Change[]): { names: ReadonlySet<string>; query: string } | null {
  const { table, mode, baseline } = set
  const { idColumn, positionColumns, formerColumns = [] } = table
  if (mode !== 'history' || !baseline?.rows) return null
  // A version that begins with the load has none.
  if (!changes.some((change) => change === 'touched' || change === 'unchanged')) return null
  const columns = formerColumns.map(({ name }) => name).filter((name) => baseline.columnNames.has(name))
  if (columns.length === 0) return null
  const keys = [idColumn, ...positionColumns].filter((name) => baseline.columnNames.has(name))
  const values = formatFormerValues({
    history: baseline.rows,
    changes: 'changes',
    idColumn,
    keys,
    columns,
    placed: changes,
  })
  const isSame = keys.map(quoteName).map((key) => `former.${key} = r.${key}`)
  return { names: new Set(columns), query: `(${values}) former ON ${isSame.join(' AND ')}` }
}

/** Selects rows of the baseline that the load ends: versions, and records that are marked as removed. */
function selectEnded(set: RowSet): string | null {
  const { baseline, mode, removed } = set
  if (!baseline?.rows) return null
  const isEnded = `r.${quoteName(set.table.idColumn)} = changes.id`
  const cell = baselineCell(baseline, mode)
  if (mode === 'history') {
    const cells = selectCells(set, (column) => {
      if (column.name === 'valid_to') return 'coalesce(changes.removed_at, changes.valid_from)'
      return column.name === 'is_current' ? 'false' : cell(column)
    })
    return `SELECT ${cells} FROM ${baseline.rows} r
      JOIN ${selectChanges(['changed', 'removed'])} ON ${isEnded} WHERE r.is_current`
  }
  if (mode !== 'records' && (mode !== 'merge' || removed === 'drop')) return null
  const mark = mode === 'records' ? 'removed_at' : '_removed_at'
  const cells = selectCells(set, (column) => (column.name === mark ? 'changes.removed_at' : cell(column)))
  return `SELECT ${cells} FROM ${baseline.rows} r JOIN ${selectChanges(['removed'])} ON ${isEnded}`
}

/** If the rows of all records are written, all are new, or else changed as they have another shape than before. */
function formatPlacedChange(link: RowSet['link']): string {
  if (link?.previousRun === null) return "'new'"
  if (link?.placed.includes('unchanged') !== true) return 'changes.change'
  return "CASE changes.change WHEN 'new' THEN 'new' ELSE 'changed' END"
}

/** Selects a row for each removed record, in tables that have one row a record. */
function selectTombstones(set: RowSet): string | null {
  const { mode, table, records, link } = set
  if (mode !== 'changes' || table.positionColumns.length > 0 || !records || link?.previousRun === null) return null
  const cells = selectCells(set, (column) => {
    if (column.name === table.idColumn) return `r.id::${formatSqlType(column)}`
    if (column.name === '_change') return 'r.change'
    if (column.name === '_changed_at') return 'r.removed_at'
    if (column.name === table.statusColumn) return 'r.status'
    return set.constants?.[column.name] ?? formatNull(column)
  })
  return `SELECT ${cells} FROM (SELECT c.id, c.change, c.removed_at, s.status, 0 AS file_index, 0 AS file_row_number
    FROM changes c LEFT JOIN ${records} s ON s.id = c.id WHERE c.change = 'removed') r`
}

/**
 * Selects the rows that earlier runs left of records that this run could not read, for a file of all records. Those of
 * a record that the table of the records lacks are left out, too.
 */
function selectUnread(set: RowSet): string | null {
  const { mode, table, baseline, records, root } = set
  if (mode !== 'changes' || !baseline?.rows || !records || !root?.files?.length) return null
  const cell = baselineCell(baseline, mode)
  const cells = selectCells(set, (column) => {
    if (column.name === '_change') return "'new'"
    if (column.name === '_changed_at') return 's.valid_from'
    return set.constants?.[column.name] ?? cell(column)
  })
  const id = `r.${quoteName(table.idColumn)}`
  return `SELECT ${cells} FROM ${baseline.rows} r JOIN ${records} s ON s.id = ${id} AND s.removed_at IS NULL
    SEMI JOIN ${formatParquetFiles(root.files)} root ON root.${quoteName(root.idColumn)} = ${id}
    ANTI JOIN changes ON ${id} = changes.id`
}

function selectChanges(changes: readonly Change[]): string {
  return `(FROM changes WHERE change IN ${formatChanges(changes)}) changes`
}

function baselineCell({ columnNames }: TableBaseline, mode: RowSet['mode']): (column: Column) => string {
  return (column) => {
    if (mode === 'records' && column.name === 'content_hash') return formatHash('r')
    return columnNames.has(column.name) ? `r.${quoteName(column.name)}` : formatNull(column)
  }
}

function selectCells({ columns, partitionBy }: RowSet, formatCell: (column: Column) => string): string {
  const cells = columns.map(formatCell)
  const partitions = partitionBy.map((name) => {
    const cell = cells[columns.findIndex((column) => column.name === name)]
    // An empty text has no folder of its own in Hive, either.
    return `coalesce(nullif(CAST(${cell} AS VARCHAR), ''), ${quoteText(defaultPartition)})`
  })
  const numbered = [...cells, ...partitions].map((cell, index) => `${cell} AS c${index}`)
  return [...numbered, 'r.file_index AS file', 'r.file_row_number AS line'].join(', ')
}

/** The columns of a table's rows in a mode: a history keeps former ones, and the mode's own come last. */
export function listColumns(
  { columns, formerColumns = [] }: KeyedTable,
  { mode, removed }: Pick<FilePlan, 'mode' | 'removed'>,
): readonly Column[] {
  return [...columns, ...(mode === 'history' ? formerColumns : []), ...listFileModeColumns({ mode, removed })]
}

export interface RowSetRequest {
  readonly table: KeyedTable
  readonly mode: FilePlan['mode']
  readonly removed: FilePlan['removed']
  readonly partitionBy: readonly string[]
  readonly loaded: string
  readonly baselineFiles: readonly string[] | null
  /** The file with the records of the state; null if there is none. */
  readonly recordsFile: string | null
  /** Whether the baseline is older than the records of the state. */
  readonly isBehind: boolean
  readonly link: ChangeLink | null
  /** With `changes`, else null. */
  readonly root: RootBaseline | null
}

/** Throws STATE_INVALID if the baseline can't be read, has a column of another type, or lacks what a delta needs. */
export async function openRowSet(duckdb: Duckdb, load: Load, request: RowSetRequest): Promise<RowSet> {
  const { table, mode, baselineFiles } = request
  const columns = listColumns(table, request)
  if (mode === 'changes') return openChangeSet(duckdb, load, request, columns)
  if (mode === 'snapshot' || mode === 'append') return { ...request, columns, baseline: null, rewritesAll: false }
  if (baselineFiles === null && load.kind === 'delta') throw lacksBaseline(table, mode)
  const found = baselineFiles === null ? null : await readBaselineFiles(duckdb, columns, baselineFiles)
  const behind = request.isBehind && load.kind === 'full' ? request.recordsFile : null
  const isBehind = behind !== null
  const baseline = isBehind && found?.rows ? await catchUp(duckdb, request, found, behind) : found
  const lacking =
    baseline === null || baselineFiles?.length === 0
      ? []
      : table.columns.filter(({ name }) => !baseline.columnNames.has(name))
  if (lacking[0] !== undefined && load.kind === 'delta')
    throw damagedBaseline(baselineFiles?.[0] ?? '', `expected the column "${lacking[0].name}", got none`)
  return { ...request, columns, baseline, rewritesAll: load.refresh === true || isBehind || lacking.length > 0 }
}

/** A file that holds all records has rows of those that can't be read now from the files of earlier runs. */
async function openChangeSet(
  duckdb: Duckdb,
  { kind }: Load,
  request: RowSetRequest,
  columns: readonly Column[],
): Promise<RowSet> {
  const { table, link, recordsFile } = request
  if (link === null) throw new TypeError(`${table.name}: expected the run before`)
  const isWhole = link.previousRun === null && recordsFile !== null
  if (isWhole && kind === 'delta') throw lacksBaseline(table, 'changes')
  const constants = {
    _run: quoteText(link.run),
    _previous_run: link.previousRun === null ? 'NULL::VARCHAR' : quoteText(link.previousRun),
  }
  const baseline = await readBaselineFiles(duckdb, columns, isWhole ? (request.baselineFiles ?? []) : [])
  const records = recordsFile === null ? null : formatParquetFiles([recordsFile])
  return { ...request, columns, constants, baseline, records, rewritesAll: false }
}

/**
 * Brings a table that runs left out up to date with the records of the state: ends versions, and marks removed records.
 * Versions that began since are in no file: those still current come with the load.
 */
async function catchUp(
  duckdb: Duckdb,
  { table: { name, idColumn }, mode, removed }: RowSetRequest,
  { rows, columnNames }: TableBaseline,
  records: string,
): Promise<TableBaseline> {
  const caughtUp = quoteName(`${mode} ${removed} ${name}`)
  const select = (columns: string) =>
    `SELECT ${columns}, r.file_index, r.file_row_number FROM ${rows} r LEFT JOIN ${formatParquetFiles([records])} s ON s.id = r.${quoteName(idColumn)}`
  if (mode === 'history') {
    const ended =
      'CASE WHEN r.is_current THEN CASE WHEN s.valid_from > r.valid_from THEN s.valid_from ELSE s.removed_at END END'
    const versions = `r.* REPLACE (coalesce(${ended}, r.valid_to) AS valid_to, r.is_current AND ${ended} IS NULL AS is_current)`
    await duckdb.run(`CREATE TABLE ${caughtUp} AS ${select(versions)}`)
    return { rows: caughtUp, columnNames }
  }
  const [others, mark] = columnNames.has('_removed_at')
    ? ['r.* EXCLUDE (_removed_at)', 'coalesce(r._removed_at, s.removed_at)']
    : ['r.*', 's.removed_at']
  await duckdb.run(`CREATE TABLE ${caughtUp} AS ${select(`${others}, ${mark} AS _removed_at`)}`)
  return { rows: caughtUp, columnNames: new Set([...columnNames, '_removed_at']) }
}

/** The records of the state as rows: the next run makes `changes` of them. `records` are those before, as SQL that may follow FROM. */
export async function openRecordSet(
  duckdb: Duckdb,
  load: Pick<Load, 'records'>,
  records: string | null,
  shown: string,
): Promise<RowSet> {
  const table = { name: '_records', columns: recordColumns, idColumn: 'id', positionColumns: [] }
  const columns = [...recordColumns, timestamp('valid_from'), timestamp('removed_at')]
  const baseline = records === null ? null : await readBaseline(duckdb, columns, records, shown)
  const places = { partitionBy: [], loaded: load.records, baseline, rewritesAll: false }
  return { table, mode: 'records', removed: 'mark', columns, ...places }
}

async function readBaselineFiles(
  duckdb: Duckdb,
  columns: readonly Column[],
  files: readonly string[],
): Promise<TableBaseline> {
  if (files.length === 0) return { rows: null, columnNames: new Set(columns.map(({ name }) => name)) }
  return readBaseline(duckdb, columns, formatParquetFiles(files), files[0] ?? '')
}

async function readBaseline(
  duckdb: Duckdb,
  columns: readonly Column[],
  rows: string,
  shown: string,
): Promise<TableBaseline> {
  const described = await duckdb.readAll(`DESCRIBE FROM ${rows}`)
  const types = new Map(described.map(([name, type]) => [String(name), String(type)]))
  for (const column of columns) {
    const type = types.get(column.name)
    const expected = formatSqlType(column)
    if (type !== undefined && type !== expected)
      throw damagedBaseline(shown, `expected the column "${column.name}" as ${expected}, got ${type}`)
  }
  return { rows, columnNames: new Set(types.keys()) }
}

function lacksBaseline({ name }: KeyedTable, mode: string): Error {
  return damagedBaseline(name, `expected files of the table in the mode ${mode}, got none`)
}

function timestamp(name: string): Column {
  return { name, type: { kind: 'timestamp' }, list: false }
}
