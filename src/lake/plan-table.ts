import { randomUUID } from 'node:crypto'
import type { FileFormat } from '../formats/file-format.ts'
import type { FieldIds } from '../formats/parquet/parquet-type.ts'
import type { DatabaseLoad } from '../loads/databases/database-output.ts'
import { OutputWriter } from '../loads/files/output-writer.ts'
import { readRowSet } from '../loads/files/read-row-set.ts'
import type { RowSet, TableBaseline } from '../loads/files/row-queries.ts'
import { formatParquetFiles, formatSqlType, quoteName, quoteText } from '../loads/files/sql-text.ts'
import type { StateFile } from '../loads/merge-result.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import type { Column } from '../records/flatten/column.ts'
import { joinPath } from '../storage/paths.ts'
import type { StagedSet } from '../storage/staged-set.ts'
import { sumRows, type TableBaselineFiles } from './check-lake.ts'
import { selectFiles } from './data-files.ts'
import { FileStatistics } from './file-statistics.ts'
import type { DataFile, LakeSession, WrittenFile } from './lake-format.ts'
import { type LakeOutputPlan, listLakeColumns, toLakeColumn } from './lake-plan.ts'
import { type FilesLoad, formatKnown, noFiles, type PlannedFiles, planFiles } from './plan-files.ts'

/** What a load makes of a table: the files that it has then, in place of all that are there. */
export interface PlannedTable extends Pick<PlannedFiles, 'kept' | 'deletions'> {
  readonly added: readonly WrittenFile[]
  readonly written: readonly StateFile[]
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
}

export interface RowsTarget {
  readonly session: LakeSession
  readonly staged: StagedSet
  /** For the footers of the files. */
  readonly metadata: Readonly<Record<string, string>>
  readonly runId: string
  readonly folder: string
  readonly compression: LakeOutputPlan['target']['compression']
  /** By column, if the format has them. */
  readonly fieldIds?: readonly FieldIds[] | undefined
}

/** Writes the data files of a table, under names of their own: nothing lists them yet. */
export async function planTable(of: TableLoad, baseline: TableBaselineFiles | null): Promise<PlannedTable> {
  if (baseline === null) return writeFiles(of, null)
  if (of.plan.mode !== 'snapshot') return writeFiles(of, await planFiles(toFilesLoad(of), baseline))
  const { own, others } = baseline
  const lapsed = of.target.session.format.returnsFiles ? [] : baseline.lapsed
  if (others.length === 0 && lapsed.length === 0 && !of.rewritesAll && (await isAsLoaded(of, own)))
    return { kept: own, deletions: new Map(), added: [], written: [], rowsWritten: 0 }
  // A snapshot keeps no rows but those of records that no load knows.
  const unknown = await findUnknown(of, [...own, ...others])
  return writeFiles(of, { ...noFiles, others: unknown, rewritten: new Set(unknown) })
}

function toFilesLoad({ plan, table, ...of }: TableLoad): FilesLoad {
  const { mode, target } = plan
  const columns = listLakeColumns(plan, table)
  return { ...of, mode, keepsTouched: true, columns, idColumn: table.idColumn, deletes: target.deletes }
}

async function writeFiles(of: TableLoad, files: PlannedFiles | null): Promise<PlannedTable> {
  const { plan, load, table, loaded, rewritesAll } = of
  const columns = listLakeColumns(plan, table)
  const read = [...(files?.own ?? []), ...(files?.others ?? [])]
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
  return writeRows(of.target, set, files ?? noFiles)
}

export async function writeRows(
  { session, staged, metadata, runId, folder, compression, fieldIds }: RowsTarget,
  set: RowSet,
  { kept, deletions }: Pick<PlannedFiles, 'kept' | 'deletions'>,
): Promise<PlannedTable> {
  const statistics = new Map<string, FileStatistics>()
  const format: FileFormat = { format: 'parquet', compression, rowGroupRows: 100_000 }
  const writer = new OutputWriter(
    {
      path: joinPath(session.format.dataFolder(folder), `part-${randomUUID()}.parquet`),
      format,
      gzip: false,
      columns: set.columns,
      fieldIds,
      rowsPerFile: null,
      bytesPerFile: mostFileBytes,
      place: { folders: [], suffix: '' },
      onRowGroup(path, group) {
        const ofFile = statistics.get(path) ?? new FileStatistics(set.columns)
        statistics.set(path, ofFile)
        ofFile.add(group)
      },
      empty: 'nothing',
    },
    { set: staged, runId, metadata },
  )
  for await (const slice of readRowSet(session.duckdb, set)) await writer.write(slice, [])
  const written = await writer.finish()
  const added = written.map(({ path, bytes }) => ({
    path,
    size: bytes,
    statistics: statistics.get(path) ?? new FileStatistics(set.columns),
  }))
  return { kept, deletions, added, written, rowsWritten: written.reduce((sum, { rows }) => sum + rows, 0) }
}

/** The rows that the table has then; null if it does not say of all files. */
export function sumPlannedRows({ kept, deletions, added }: PlannedTable): number | null {
  const left = kept.map(({ rows, deleted }, at) => {
    const deletion = deletions.get(kept[at] as DataFile)
    return { rows: rows === null || deletion === undefined ? rows : rows + deleted - deletion.length }
  })
  return sumRows([...left, ...added.map(({ statistics }) => statistics)])
}

const mostFileBytes = 64 * 1024 * 1024

/** The rows of files that are read, with the types of the columns, as other engines have other ones in their files. */
async function openBaseline(
  { target, table, records }: TableLoad,
  columns: readonly Column[],
  { own, others }: PlannedFiles,
): Promise<TableBaseline> {
  const parts: string[] = []
  const names = new Set<string>()
  for (const files of [own, others]) {
    if (files.length === 0) continue
    const from = await selectFiles(target.session, target.folder, files)
    const there = await target.session.duckdb.readAll(`DESCRIBE FROM ${from}`)
    const types = new Map(there.map(([name, type]) => [String(name), String(type)]))
    const cells = columns.flatMap((column) => {
      const type = types.get(column.name)
      if (type === undefined) return []
      names.add(column.name)
      const name = quoteName(column.name)
      return [type === formatSqlType(column) ? `f.${name}` : `CAST(f.${name} AS ${formatSqlType(column)}) AS ${name}`]
    })
    const known =
      files === others ? ` ANTI JOIN ${formatKnown(records)} k ON k.id = f.${quoteName(table.idColumn)}` : ''
    const number = files === others ? `f.file_index + ${own.length} AS file_index` : 'f.file_index'
    parts.push(`SELECT ${cells.join(', ')}, ${number}, f.file_row_number FROM ${from} f${known}`)
  }
  if (parts.length === 0) return { rows: null, columnNames: new Set(columns.map(({ name }) => name)) }
  return { rows: `(${parts.join(' UNION ALL BY NAME ')})`, columnNames: names }
}

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

/** The files with rows of records that no load knows. */
async function findUnknown(
  { target: { session, folder }, table, records }: TableLoad,
  files: readonly DataFile[],
): Promise<readonly DataFile[]> {
  if (files.length === 0) return []
  const rows = await session.duckdb.readAll(
    `SELECT DISTINCT f.file_index FROM ${await selectFiles(session, folder, files)} f
      ANTI JOIN ${formatKnown(records)} k ON k.id = f.${quoteName(table.idColumn)}`,
  )
  const found = new Set(rows.map(([index]) => Number(index)))
  return files.filter((_, index) => found.has(index))
}
