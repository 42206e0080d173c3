import { randomUUID } from 'node:crypto'
import type { DatabaseLoad } from '../loads/databases/database-output.ts'
import type { WriterTarget } from '../loads/files/output-writer.ts'
import { readRowSet } from '../loads/files/read-row-set.ts'
import type { RowSet, TableBaseline } from '../loads/files/row-queries.ts'
import { formatParquetFiles, quoteText } from '../loads/files/sql-text.ts'
import type { StateFile } from '../loads/merge-result.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import type { Column } from '../records/flatten/column.ts'
import { joinPath } from '../storage/paths.ts'
import { sumRows } from './check-lake.ts'
import { writeChanges } from './change-feed.ts'
import { type RowsTarget, selectColumns, writeDataFiles } from './data-files.ts'
import { FileStatistics } from './file-statistics.ts'
import type { TableBaselineFiles } from './find-baseline.ts'
import type { DataFile, TableSnapshot, WrittenFile } from './lake-format.ts'
import { deletesOf, type LakeOutputPlan, listLakeColumns, toLakeColumn } from './lake-plan.ts'
import { type FilesLoad, joinRows, noFiles, type PlannedFiles, planFiles, planUnknown } from './plan-files.ts'

/** What a load makes of a table: the files that it has then, in place of all that are there. */
export interface PlannedTable extends Pick<PlannedFiles, 'kept' | 'deletions'> {
  readonly added: readonly WrittenFile[]
  readonly written: readonly StateFile[]
  /** The files of the change feed, see `writeChanges`. */
  readonly feed: readonly StateFile[] | null
  readonly rowsWritten: number
}

export interface TableLoad {
  readonly plan: LakeOutputPlan
  readonly target: RowsTarget
  readonly load: DatabaseLoad
  readonly table: KeyedTable
  /** The Parquet files with the rows and with the records of the load. */
  readonly loaded: string
  readonly loadedRecords: string
  /** The records of the state before, as SQL that may follow FROM; null if there is none. */
  readonly records: string | null
  readonly rewritesAll: boolean
  /** The table that the load is committed on; null if there is none. */
  readonly newest: TableSnapshot | null
}

/** Writes the data files of a table, under names of their own: nothing lists them yet. */
export async function planTable(of: TableLoad, baseline: TableBaselineFiles | null): Promise<PlannedTable> {
  if (baseline === null) return writeFiles(of, null, null)
  if (of.plan.mode !== 'snapshot') return writeFiles(of, baseline, await planFiles(toFilesLoad(of), baseline))
  const { own, others, replaced } = baseline
  const isLost = baseline.lapsed.size > 0 && !of.target.session.format.returnsFiles
  if (others.length + replaced.size === 0 && !isLost && !of.rewritesAll && (await isAsLoaded(of, own)))
    return { ...nothingPlanned, kept: own, feed: await writeChanges(of, null, { ...noFiles, kept: own }) }
  return writeFiles(of, baseline, await planUnknown(toFilesLoad(of), baseline))
}

function toFilesLoad({ plan, table, ...of }: TableLoad): FilesLoad {
  const columns = listLakeColumns(plan, table)
  return { ...of, mode: plan.mode, keepsTouched: true, columns, idColumn: table.idColumn, deletes: deletesOf(plan) }
}

/** A table without a row that a load has written. */
export const nothingPlanned: PlannedTable = {
  kept: [],
  deletions: new Map(),
  added: [],
  written: [],
  feed: null,
  rowsWritten: 0,
}

async function writeFiles(
  of: TableLoad,
  baseline: TableBaselineFiles | null,
  files: PlannedFiles | null,
): Promise<PlannedTable> {
  const { plan, load, table, loaded, rewritesAll } = of
  const columns = listLakeColumns(plan, table)
  const read = files?.read.flatMap((group) => group.files) ?? []
  const set: RowSet = {
    table,
    mode: plan.mode,
    removed: plan.removed,
    partitionBy: [],
    columns: columns.map(toLakeColumn),
    loaded,
    baseline: files && (await openBaseline(of, columns, files)),
    rewrittenFiles: read.flatMap((file, at) => (files?.rewritten.has(file) === true ? [at] : [])),
    rewritesAll,
    keepsTouched: true,
    constants: {
      run_date: `DATE ${quoteText(load.startedAt.toISOString().slice(0, 10))}`,
      run_id: quoteText(load.runId),
    },
  }
  const planned = await writeRows(of.target, set, files ?? noFiles)
  return { ...planned, feed: await writeChanges(of, set, files ?? noFiles, baseline?.snapshot) }
}

export async function writeRows(
  target: RowsTarget,
  set: RowSet,
  { kept, deletions }: Pick<PlannedFiles, 'kept' | 'deletions'>,
): Promise<PlannedTable> {
  const { session, folder, fieldIds } = target
  const { columns } = set
  const statistics = new Map<string, FileStatistics>()
  const onRowGroup: WriterTarget['onRowGroup'] = (path, group) => {
    const ofFile = statistics.get(path) ?? new FileStatistics(columns)
    statistics.set(path, ofFile)
    ofFile.add(group)
  }
  const path = joinPath(session.format.dataFolder(folder), `part-${randomUUID()}.parquet`)
  const slices = readRowSet(session.duckdb, set)
  const written = await writeDataFiles(target, { path, columns, fieldIds, onRowGroup }, slices)
  const added = written.map(({ path: file, bytes }) => ({
    path: file,
    size: bytes,
    statistics: statistics.get(file) ?? new FileStatistics(columns),
  }))
  return {
    ...nothingPlanned,
    kept,
    deletions,
    added,
    written,
    rowsWritten: written.reduce((sum, { rows }) => sum + rows, 0),
  }
}

/** The rows that the table has then; null if it does not say of all files. */
export function sumPlannedRows({ kept, deletions, added }: PlannedTable): number | null {
  const left = kept.map(({ rows, deleted }, at) => {
    const deletion = deletions.get(kept[at] as DataFile)
    return { rows: rows === null || deletion === undefined ? rows : rows + deleted - deletion.length }
  })
  return sumRows([...left, ...added.map(({ statistics }) => statistics)])
}

/** The rows of files that are read, as far as they count. */
async function openBaseline(
  { plan, target, table }: TableLoad,
  columns: readonly Column[],
  { read }: PlannedFiles,
): Promise<TableBaseline> {
  const parts: string[] = []
  const columnNames = new Set<string>()
  // A merge that drops removed records leaves out rows that an earlier one has marked.
  const asked = plan.mode === 'merge' && plan.removed === 'drop' ? [...columns, removalMark] : columns
  let first = 0
  for (const group of read) {
    if (group.files.length === 0) continue
    const { query, names } = await selectColumns(target, asked, group.files)
    for (const name of names) columnNames.add(name)
    const numbered = `f.* REPLACE (f.file_index + ${first} AS file_index)`
    parts.push(`SELECT ${numbered} FROM (${query}) f ${joinRows(group, table.idColumn)}`)
    first += group.files.length
  }
  if (parts.length === 0) return { rows: null, columnNames: new Set(columns.map(({ name }) => name)) }
  return { rows: `(${parts.join(' UNION ALL BY NAME ')})`, columnNames }
}

const removalMark: Column = { name: '_removed_at', type: { kind: 'timestamp' }, list: false }

/** Whether a snapshot of the load is what the table holds: a record that is rejected has no row, before or now. */
async function isAsLoaded({ target, loaded, loadedRecords }: TableLoad, files: readonly DataFile[]): Promise<boolean> {
  const [[changed, rejected, rows] = []] = await target.session.duckdb.readAll(
    `SELECT ${formatCount('changes', "change IN ('new', 'changed', 'removed')")},
      ${formatCount(formatParquetFiles([loadedRecords]), "content_hash = ''")}, ${formatCount(formatParquetFiles([loaded]))}`,
  )
  return changed === 0 && rejected === 0 && rows === sumRows(files)
}

function formatCount(from: string, where = 'true'): string {
  return `(SELECT count(*) FROM ${from} WHERE ${where})::INTEGER`
}
