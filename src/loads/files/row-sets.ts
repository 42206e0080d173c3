import { listFileModeColumns } from '../../plan/outputs/output-mode.ts'
import type { FilePlan, KeyedTable } from '../../plan/pipeline-plan.ts'
import type { Column } from '../../records/flatten/column.ts'
import { damagedBaseline } from './merge-error.ts'
import type { Duckdb } from './open-duckdb.ts'
import type { RowSet, TableBaseline } from './row-queries.ts'
import { type Load } from '../merge-result.ts'
import { recordColumns } from '../../records/record-table.ts'
import { formatParquetFiles, formatSqlType } from './sql-text.ts'

/** The columns of a table's rows in a mode: a history keeps former ones, and those that the mode adds come last. */
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
  /** Null where there is none. */
  readonly baselineFiles: readonly string[] | null
}

/** Throws STATE_INVALID where the baseline can't be read, has a column of another type, or lacks what a delta needs. */
export async function openRowSet(duckdb: Duckdb, load: Load, request: RowSetRequest): Promise<RowSet> {
  const { table, mode, baselineFiles } = request
  const columns = listColumns(table, request)
  if (mode === 'snapshot' || mode === 'append') return { ...request, columns, baseline: null, rewritesAll: false }
  if (baselineFiles === null && load.kind === 'delta') throw lacksBaseline(table, mode)
  const baseline = baselineFiles === null ? null : await readBaseline(duckdb, columns, baselineFiles)
  const lacking =
    baseline === null || baselineFiles?.length === 0
      ? []
      : table.columns.filter(({ name }) => !baseline.columnNames.has(name))
  if (lacking[0] !== undefined && load.kind === 'delta')
    throw damagedBaseline(baselineFiles?.[0] ?? '', `expected the column "${lacking[0].name}", got none`)
  return { ...request, columns, baseline, rewritesAll: load.refresh === true || lacking.length > 0 }
}

/** The records of the state, as rows: what `changes` is made of the next time. */
export async function openRecordSet(duckdb: Duckdb, load: Load, records: string | null): Promise<RowSet> {
  const table = { name: '_records', columns: recordColumns, idColumn: 'id', positionColumns: [] }
  const columns = [...recordColumns, timestamp('valid_from'), timestamp('removed_at')]
  const baseline = records === null ? null : await readBaseline(duckdb, columns, [records])
  const places = { partitionBy: [], loaded: load.records, baseline, rewritesAll: false }
  return { table, mode: 'records', removed: 'mark', columns, ...places }
}

async function readBaseline(
  duckdb: Duckdb,
  columns: readonly Column[],
  files: readonly string[],
): Promise<TableBaseline> {
  if (files.length === 0) return { files, columnNames: new Set(columns.map(({ name }) => name)) }
  const described = await duckdb.readAll(`DESCRIBE FROM ${formatParquetFiles(files)}`)
  const types = new Map(described.map(([name, type]) => [String(name), String(type)]))
  for (const column of columns) {
    const type = types.get(column.name)
    const expected = formatSqlType(column)
    if (type !== undefined && type !== expected)
      throw damagedBaseline(files[0] ?? '', `expected the column "${column.name}" as ${expected}, got ${type}`)
  }
  return { files, columnNames: new Set(types.keys()) }
}

function lacksBaseline({ name }: KeyedTable, mode: string): Error {
  return damagedBaseline(name, `expected files of the table in the mode ${mode}, got none`)
}

function timestamp(name: string): Column {
  return { name, type: { kind: 'timestamp' }, list: false }
}
