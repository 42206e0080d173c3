import { randomUUID } from 'node:crypto'
import type { FileFormat } from '../formats/file-format.ts'
import type { FieldIds } from '../formats/parquet/parquet-type.ts'
import { formatChanges } from '../loads/changes/compare-records.ts'
import type { DatabaseLoad } from '../loads/databases/database-output.ts'
import { OutputWriter } from '../loads/files/output-writer.ts'
import { readRowSet } from '../loads/files/read-row-set.ts'
import { listPlaced, type RowSet, type TableBaseline } from '../loads/files/row-queries.ts'
import { formatMixedFiles, formatParquetFiles, formatSqlType, quoteName, quoteText } from '../loads/files/sql-text.ts'
import type { StateFile } from '../loads/merge-result.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import type { Column } from '../records/flatten/column.ts'
import { joinPath } from '../storage/paths.ts'
import type { StagedSet } from '../storage/staged-set.ts'
import { sumRows, type TableBaselineFiles } from './check-lake.ts'
import { FileStatistics } from './file-statistics.ts'
import type { DataFile, LakeSession, WrittenFile } from './lake-format.ts'
import { type LakeOutputPlan, listLakeColumns, toLakeColumn } from './lake-plan.ts'

/** What a load makes of a table: the files that it has then, in place of all that are there. */
export interface PlannedTable {
  readonly kept: readonly DataFile[]
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
  /** The Parquet file with the records of the state before; null if there is none. */
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

/** Files that are written anew: those of the loads, and those of others, without the rows of records that loads know. */
interface RewrittenFiles {
  readonly own: readonly DataFile[]
  readonly others: readonly DataFile[]
}

/** Writes the data files of a table, under names of their own: nothing lists them yet. */
export async function planTable(of: TableLoad, baseline: TableBaselineFiles | null): Promise<PlannedTable> {
  if (baseline === null) return writeFiles(of, null, [])
  const { own, others } = baseline
  const lapsed = of.target.session.format.returnsFiles ? [] : baseline.lapsed
  const isSnapshot = of.plan.mode === 'snapshot'
  if (isSnapshot && others.length === 0 && lapsed.length === 0 && !of.rewritesAll && (await isAsLoaded(of, own)))
    return { kept: own, added: [], written: [], rowsWritten: 0 }
  // A snapshot keeps no rows but those of records that no load knows.
  if (isSnapshot) return writeFiles(of, { own: [], others: await findUnknown(of, [...own, ...others]) }, [])
  const found = new Set([...(await findChanged(of, own)), ...lapsed])
  const changed = own.filter((file) => found.has(file))
  const mixed = await findKnown(of, others)
  const kept = [...own.filter((file) => !found.has(file)), ...others.filter((file) => !mixed.includes(file))]
  return writeFiles(of, { own: changed, others: mixed }, kept)
}

async function writeFiles(
  of: TableLoad,
  rewritten: RewrittenFiles | null,
  kept: readonly DataFile[],
): Promise<PlannedTable> {
  const { plan, load, table, loaded, rewritesAll } = of
  const columns = listLakeColumns(plan, table)
  const set: RowSet = {
    table,
    mode: plan.mode,
    removed: plan.removed,
    partitionBy: [],
    columns: columns.map(toLakeColumn),
    loaded,
    baseline: rewritten && (await openBaseline(of, columns, rewritten)),
    rewritesAll,
    keepsTouched: true,
    constants: {
      run_date: `DATE ${quoteText(load.startedAt.toISOString().slice(0, 10))}`,
      run_id: quoteText(load.runId),
    },
  }
  return writeRows(of.target, set, kept)
}

export async function writeRows(
  { session, staged, metadata, runId, folder, compression, fieldIds }: RowsTarget,
  set: RowSet,
  kept: readonly DataFile[],
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
  return { kept, added, written, rowsWritten: written.reduce((sum, { rows }) => sum + rows, 0) }
}

const mostFileBytes = 64 * 1024 * 1024

/** The rows of files that are rewritten, with the types of the columns, as other engines have other ones in their files. */
async function openBaseline(
  { target, table, records }: TableLoad,
  columns: readonly Column[],
  { own, others }: RewrittenFiles,
): Promise<TableBaseline> {
  const parts: string[] = []
  const names = new Set<string>()
  for (const files of [own, others]) {
    if (files.length === 0) continue
    const from = await readFiles(target, files)
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

async function readFiles({ session, folder }: RowsTarget, files: readonly DataFile[]): Promise<string> {
  const paths: string[] = []
  for (const file of files) paths.push(await session.toLocal(session.format.locate(folder, file)))
  return formatMixedFiles(paths)
}

/** The ids of the records that loads know, this one or the state: others' rows of these go. */
function formatKnown(records: string | null): string {
  const former = records === null ? '' : ` UNION ALL SELECT id FROM ${formatParquetFiles([records])}`
  return `(SELECT id FROM changes${former})`
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

/** The files to write without some of their rows: those of records whose rows are placed or removed. */
async function findChanged(of: TableLoad, files: readonly DataFile[]): Promise<readonly DataFile[]> {
  const { mode } = of.plan
  if (mode === 'append') return []
  if (of.rewritesAll) return files
  const placed = listPlaced({ mode, keepsTouched: true }, false)
  const ids = `(SELECT id FROM changes WHERE change IN ${formatChanges([...placed, 'removed'])})`
  return findFilesWith(of, files, 'SEMI', ids)
}

/** The files with rows of records that loads know. */
function findKnown(of: TableLoad, files: readonly DataFile[]): Promise<readonly DataFile[]> {
  return findFilesWith(of, files, 'SEMI', formatKnown(of.records))
}

/** The files with rows of records that no load knows. */
function findUnknown(of: TableLoad, files: readonly DataFile[]): Promise<readonly DataFile[]> {
  return findFilesWith(of, files, 'ANTI', formatKnown(of.records))
}

async function findFilesWith(
  { target, table }: TableLoad,
  files: readonly DataFile[],
  join: 'SEMI' | 'ANTI',
  ids: string,
): Promise<readonly DataFile[]> {
  if (files.length === 0) return []
  const from = await readFiles(target, files)
  const rows = await target.session.duckdb.readAll(
    `SELECT DISTINCT f.file_index FROM ${from} f ${join} JOIN ${ids} i ON i.id = f.${quoteName(table.idColumn)}`,
  )
  const found = new Set(rows.map(([index]) => Number(index)))
  return files.filter((_, index) => found.has(index))
}
