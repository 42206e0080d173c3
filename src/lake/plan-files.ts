import { formatChanges } from '../loads/changes/compare-records.ts'
import { listPlaced, type RowSet } from '../loads/files/row-queries.ts'
import { quoteName } from '../loads/files/sql-text.ts'
import type { TableBaselineFiles } from './find-baseline.ts'
import { readPlaces, selectFiles } from './data-files.ts'
import type { DataFile } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'
import type { TableLoad } from './plan-table.ts'

/** What becomes of the data files that are there. */
export interface PlannedFiles {
  readonly read: readonly ReadFiles[]
  /** The files of `read` that are written anew without the rows that go. */
  readonly rewritten: ReadonlySet<DataFile>
  readonly kept: readonly DataFile[]
  /** The deleted rows of kept files, in place of those that are deleted now. */
  readonly deletions: ReadonlyMap<DataFile, readonly number[]>
}

/** Files that are read, and which of their rows count. */
export interface ReadFiles {
  readonly files: readonly DataFile[]
  readonly rows: { readonly which: 'all' } | { readonly which: 'with' | 'without'; readonly ids: string }
}

/** Joins the rows `f` of files with those that count, or with the others. */
export function joinRows({ rows }: ReadFiles, idColumn: string, isInverse = false): string {
  if (rows.which === 'all') return isInverse ? 'WHERE false' : ''
  const kind = (rows.which === 'with') === isInverse ? 'ANTI' : 'SEMI'
  return `${kind} JOIN ${rows.ids} k ON k.id = f.${quoteName(idColumn)}`
}

export const noFiles: PlannedFiles = { read: [], rewritten: new Set(), kept: [], deletions: new Map() }

/** What decides it. */
export interface FilesLoad
  extends Pick<TableLoad, 'records' | 'rewritesAll'>, Pick<RowSet, 'mode' | 'keepsTouched' | 'columns'> {
  readonly target: Pick<TableLoad['target'], 'session' | 'folder'>
  readonly idColumn: string
  readonly deletes: LakeOutputPlan['target']['deletes']
}

/** Chooses which data files are written anew, and which rows of the others are deleted. */
export async function planFiles(of: FilesLoad, baseline: TableBaselineFiles): Promise<PlannedFiles> {
  const { own, replaced, others } = baseline
  const groups: readonly ReadFiles[] = [
    { files: own.filter((file) => !replaced.has(file)), rows: { which: 'all' } },
    { files: [...replaced], rows: { which: 'with', ids: formatKnown(of.records) } },
    { files: others, rows: { which: 'without', ids: await formatKnownOrCopied(of, baseline) } },
  ]
  const files = groups.flatMap((group) => group.files)
  const matches = await matchRows(of, groups)
  const isOwn = new Set(own)
  const ownPaths = new Set([...replaced].map(({ path }) => path))
  const rewritesOwn = of.rewritesAll && of.mode !== 'append'
  const isRewritten = (file: DataFile) => {
    if (baseline.lapsed.has(file) && !of.target.session.format.returnsFiles) return true
    if (isOwn.has(file) ? rewritesOwn : ownPaths.has(file.path)) return true
    const going = matches.get(file) ?? 0
    return going > 0 && (of.deletes === 'rewrite' || isMostlyLeft(file, going))
  }
  const rewritten = new Set(files.filter(isRewritten))
  const small = files.filter((file) => !rewritten.has(file) && file.size < smallFileBytes)
  if (small.length > mostSmallFiles && hasAllColumns(of, baseline) && (await hasChanges(of)))
    for (const file of small) rewritten.add(file)
  const isRead = (file: DataFile) => rewritten.has(file) || matches.has(file)
  const read = groups.map((group) => ({ ...group, files: group.files.filter(isRead) }))
  const kept = files.filter((file) => !rewritten.has(file))
  const deletions = await readDeletions(of, files, (file) => !rewritten.has(file) && (matches.get(file) ?? 0) > 0)
  return { read, rewritten, kept, deletions }
}

/** Chooses the files with rows of records that no load knows: a snapshot keeps no others. */
export async function planUnknown(
  of: Pick<FilesLoad, 'target' | 'records' | 'idColumn'>,
  baseline: TableBaselineFiles,
): Promise<PlannedFiles> {
  const { own, replaced, others } = baseline
  const { session, folder } = of.target
  const groups: readonly ReadFiles[] = [
    { files: own.filter((file) => !replaced.has(file)), rows: { which: 'without', ids: formatKnown(of.records) } },
    { files: others, rows: { which: 'without', ids: await formatKnownOrCopied(of, baseline) } },
  ]
  const read: ReadFiles[] = []
  for (const group of groups) {
    if (group.files.length === 0) continue
    const rows = await session.duckdb.readAll(
      `SELECT DISTINCT f.file_index FROM ${await selectFiles(session, folder, group.files)} f ${joinRows(group, of.idColumn)}`,
    )
    const found = new Set(rows.map(([index]) => Number(index)))
    read.push({ ...group, files: group.files.filter((_, index) => found.has(index)) })
  }
  return { ...noFiles, read, rewritten: new Set(read.flatMap(({ files }) => files)) }
}

/** Whether so many rows of a file are deleted then that it is written anew: readers read them all the same. */
function isMostlyLeft({ rows, deleted }: DataFile, going: number): boolean {
  return rows === null || (deleted + going) * 10 > rows + deleted
}

/** Whether loads can write all columns of the table, so that a file that is written anew loses none. */
function hasAllColumns({ columns }: FilesLoad, { snapshot }: TableBaselineFiles): boolean {
  const names = new Set(columns.map(({ name }) => name))
  return snapshot.fields.every(({ name }) => names.has(name))
}

const smallFileBytes = 16 * 1024 * 1024
const mostSmallFiles = 16

/** The ids of the records that loads know, this one or the state: others' rows of these go. */
function formatKnown(records: string | null): string {
  const former = records === null ? '' : ` UNION ALL SELECT id FROM ${records}`
  return `(SELECT id FROM changes${former})`
}

/** The same, and those in files of killed loads, of which others may have copied rows. */
async function formatKnownOrCopied(
  { target: { session, folder }, records, idColumn }: Pick<FilesLoad, 'target' | 'records' | 'idColumn'>,
  { orphans }: TableBaselineFiles,
): Promise<string> {
  const known = formatKnown(records)
  if (orphans.length === 0) return known
  const copied = `SELECT ${quoteName(idColumn)} AS id FROM ${await selectFiles(session, folder, orphans)}`
  return `(FROM ${known} UNION ALL ${copied})`
}

/** The changes whose rows go, whether others come in their place or not. */
export function formatGoing(of: Pick<FilesLoad, 'mode' | 'keepsTouched'>): string {
  return formatChanges([...listPlaced(of, false), 'removed'])
}

async function hasChanges(of: FilesLoad): Promise<boolean> {
  const [found] = await of.target.session.duckdb.readAll(
    `SELECT 1 FROM changes WHERE change IN ${formatGoing(of)} LIMIT 1`,
  )
  return found !== undefined
}

/**
 * Makes `matched`, the places of rows whose records are placed or removed, and of those that don't count. Returns how many of these
 * rows go, by file: those of past versions don't.
 */
async function matchRows(of: FilesLoad, groups: readonly ReadFiles[]): Promise<ReadonlyMap<DataFile, number>> {
  const { mode, target, idColumn } = of
  const { session, folder } = target
  const files: DataFile[] = []
  const parts: string[] = []
  for (const group of groups) {
    if (group.files.length === 0) continue
    const from = await selectFiles(session, folder, group.files)
    const select = (goes: string, join: string) =>
      `SELECT f.file_index + ${files.length} AS file, f.file_row_number AS "row", ${goes} AS goes FROM ${from} f ${join}`
    if (group.rows.which !== 'without' && mode !== 'append' && !of.rewritesAll) {
      const ids = `(SELECT id FROM changes WHERE change IN ${formatGoing(of)})`
      const goes = mode === 'history' ? 'f.is_current' : 'true'
      parts.push(select(goes, joinRows({ files: [], rows: { which: 'with', ids } }, idColumn)))
    }
    if (group.rows.which !== 'all') parts.push(select('true', joinRows(group, idColumn, true)))
    files.push(...group.files)
  }
  if (parts.length === 0) return new Map()
  await session.duckdb.run(`CREATE OR REPLACE TABLE matched AS ${parts.join(' UNION ALL ')}`)
  const counts = await session.duckdb.readAll(
    'SELECT file::INTEGER, count(*) FILTER (goes)::INTEGER FROM matched GROUP BY ALL',
  )
  return new Map(counts.map(([file, going]) => [files[Number(file)] as DataFile, Number(going)]))
}

async function readDeletions(
  { target: { session, folder } }: FilesLoad,
  files: readonly DataFile[],
  isDeleting: (file: DataFile) => boolean,
): Promise<ReadonlyMap<DataFile, readonly number[]>> {
  const deletions = new Map<DataFile, number[]>()
  for (const file of files.filter(isDeleting))
    deletions.set(file, file.deleted === 0 ? [] : [...(await session.format.readDeleted(session, folder, file))])
  if (deletions.size === 0) return deletions
  const numbers = files.flatMap((file, at) => (deletions.has(file) ? [at] : []))
  const places = `SELECT file::BIGINT AS c0, "row"::BIGINT AS c1 FROM matched WHERE goes AND file IN (${numbers.join(', ')})`
  for await (const [at, row] of readPlaces(session.duckdb, places)) deletions.get(files[at] as DataFile)?.push(row)
  for (const each of deletions.values()) each.sort((one, other) => one - other)
  return deletions
}
