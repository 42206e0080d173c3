import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { FileReport, PublishedManifest } from '../../manifest/manifest.ts'
import { type DatabasePlan, nameDatabase } from '../../plan/outputs/database-plan.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import { formatEach } from '../../plan/records/plan-tables.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { formatColumnType } from '../../types/column-types.ts'
import { chooseDatabase, chooseFiles, type ProfiledPlan } from '../profile/published-tables.ts'

/** A table that the last run published, and that statements can name. */
export interface PublishedTable {
  readonly name: string
  /** The list whose elements are its rows, such as `photos[]`; empty for a row a record. */
  readonly each: string
  readonly columns: readonly PublishedColumn[]
  /** Null for tables in databases and lakes. */
  readonly rows: number | null
  /** Where it is, in words. */
  readonly place: string
  /** SQL that selects the current rows; null if all are. */
  readonly current: string | null
}

export interface PublishedColumn {
  readonly name: string
  readonly type: string
  /** The path in the record; empty for a column that the mode of the output adds. */
  readonly from: string
  /** As the config has it now. */
  readonly plan: ColumnPlan | undefined
}

/** Tables under a name of their own beside the current one: `products_history`, `products_changes`. */
export const keptModes = ['history', 'changes'] as const

/** Lists the tables of a run that DuckDB can open, in the order of the config. */
export function listPublished(plan: ProfiledPlan, published: PublishedManifest): PublishedTable[] {
  return plan.records.tables.flatMap((table, index) => {
    const own = toPublished(plan, published, table, index)
    if (own === null) return []
    const kept = listKept(published, table.name).map(([name, files]) => toTable({ ...table, name }, files, published))
    return [own, ...kept]
  })
}

/** Tables of older versions and of changes, beside files that show the current rows, by name. */
export function listKept({ files }: PublishedManifest, table: string): [name: string, files: readonly FileReport[]][] {
  const ofTable = files.filter((file) => file.table === table)
  const [{ mode: chosen } = { mode: undefined }] = chooseFiles(ofTable)?.files ?? []
  return keptModes.flatMap((mode) => {
    const found = mode === chosen ? null : chooseFiles(ofTable.filter((file) => file.mode === mode))
    return found === null ? [] : [[`${table}_${mode}`, found.files] as [string, readonly FileReport[]]]
  })
}

function toPublished(
  plan: ProfiledPlan,
  published: PublishedManifest,
  table: TablePlan,
  index: number,
): PublishedTable | null {
  const files = chooseFiles(published.files.filter((file) => file.table === table.name))
  if (files !== null) return toTable(table, files.files, published)
  const database = chooseDatabase(plan.outputs, index)
  return database === null ? null : toDatabaseTable(table, database, published)
}

function toTable(
  { name, each, columns }: TablePlan,
  files: readonly FileReport[],
  published: PublishedManifest,
): PublishedTable {
  const [first] = files
  const plans = new Map(columns.map((column) => [column.name, column]))
  const found = (first?.columns ?? []).map((column) => {
    const plan = plans.get(column.name)
    return {
      name: column.name,
      type: column.type,
      from: column.from,
      plan: plan?.from === column.from ? plan : undefined,
    }
  })
  return {
    name,
    each: formatEach(each),
    columns: found,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    place: files.length === 1 ? (first?.path ?? '') : `${first?.format} in ${files.length} files`,
    current: toCurrent(found, published),
  }
}

function toDatabaseTable(
  { name, each, columns }: TablePlan,
  database: DatabasePlan,
  published: PublishedManifest,
): PublishedTable {
  const found = [
    ...columns.map((column) => ({
      name: column.name,
      type: formatColumnType(column),
      from: column.from,
      plan: column,
    })),
    ...listModeColumns(database).map((column) => ({
      name: column.name,
      type: formatColumnType(column),
      from: '',
      plan: undefined,
    })),
  ]
  const place = nameDatabase(database).replace('{table}', name)
  return { name, each: formatEach(each), columns: found, rows: null, place, current: toCurrent(found, published) }
}

/** A history has its versions, a marked table its removed rows, and appended rows are those of every run. */
function toCurrent(columns: readonly PublishedColumn[], { runId = '' }: PublishedManifest): string | null {
  const added = new Set(columns.flatMap(({ name, from }) => (from === '' ? [name] : [])))
  if (added.has('is_current')) return quoteName('is_current')
  if (added.has('_removed_at')) return `${quoteName('_removed_at')} IS NULL`
  if (added.has('run_id')) return `${quoteName('run_id')} = ${quoteText(runId)}`
  return null
}
