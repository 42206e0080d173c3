import { formatChanges } from '../loads/changes/compare-records.ts'
import { listPlaced, type RowSet } from '../loads/files/row-queries.ts'
import { quoteName } from '../loads/files/sql-text.ts'
import type { TableBaselineFiles } from './check-lake.ts'
import { selectFiles } from './data-files.ts'
import type { DataFile } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'
import type { TableLoad } from './plan-table.ts'

/** What becomes of the data files that are there. */
export interface PlannedFiles {
  /** Files whose rows are read: those of the loads, and those of others, without the rows of records that loads know. */
  readonly own: readonly DataFile[]
  readonly others: readonly DataFile[]
  /** Those of them that are written anew without the rows that go. */
  readonly rewritten: ReadonlySet<DataFile>
  readonly kept: readonly DataFile[]
  /** The deleted rows of kept files, in place of those that are deleted now. */
  readonly deletions: ReadonlyMap<DataFile, readonly number[]>
}

export const noFiles: PlannedFiles = { own: [], others: [], rewritten: new Set(), kept: [], deletions: new Map() }

/** What decides it. */
export interface FilesLoad
  extends Pick<TableLoad, 'records' | 'rewritesAll'>, Pick<RowSet, 'mode' | 'keepsTouched' | 'columns'> {
  readonly target: Pick<TableLoad['target'], 'session' | 'folder'>
  readonly idColumn: string
  readonly deletes: LakeOutputPlan['target']['deletes']
}

/** Chooses which data files are written anew, and which rows of the others are deleted. */
export async function planFiles(of: FilesLoad, baseline: TableBaselineFiles): Promise<PlannedFiles> {
  const { own, others } = baseline
  const files = [...own, ...others]
  const matches = await matchRows(of, own, others)
  const gone = new Set(of.target.session.format.returnsFiles ? [] : baseline.lapsed)
  const rewritesOwn = of.rewritesAll && of.mode !== 'append'
  const isRewritten = (file: DataFile) => {
    if (gone.has(file) || (rewritesOwn && own.includes(file))) return true
    const going = matches.get(file) ?? 0
    return going > 0 && (of.deletes === 'rewrite' || isMostlyLeft(file, going))
  }
  const rewritten = new Set(files.filter(isRewritten))
  const small = files.filter((file) => !rewritten.has(file) && file.size < smallFileBytes)
  if (small.length > mostSmallFiles && hasAllColumns(of, baseline) && (await hasChanges(of)))
    for (const file of small) rewritten.add(file)
  const isRead = (file: DataFile) => rewritten.has(file) || matches.has(file)
  const kept = files.filter((file) => !rewritten.has(file))
  const deletions = await readDeletions(of, files, (file) => !rewritten.has(file) && (matches.get(file) ?? 0) > 0)
  return { own: own.filter(isRead), others: others.filter(isRead), rewritten, kept, deletions }
}

/** Whether so many rows of a file are deleted then that it is written anew: readers read them all the same. */
function isMostlyLeft({ rows, deleted }: DataFile, going: number): boolean {
  return rows === null || (deleted + going) * 10 > rows + deleted
}

/** Whether a file that is written anew has all that the table has: `append` keeps columns that the config no longer has. */
function hasAllColumns({ columns }: FilesLoad, { snapshot }: TableBaselineFiles): boolean {
  const names = new Set(columns.map(({ name }) => name))
  return snapshot.fields.every(({ name }) => names.has(name))
}

const smallFileBytes = 16 * 1024 * 1024
const mostSmallFiles = 16

/** The ids of the records that loads know, this one or the state: others' rows of these go. */
export function formatKnown(records: string | null): string {
  const former = records === null ? '' : ` UNION ALL SELECT id FROM ${records}`
  return `(SELECT id FROM changes${former})`
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
 * Makes `matched`, the places of rows whose records are placed or removed, or, in files of others, known. Returns how many of
 * these rows go, by file: those of past versions don't.
 */
async function matchRows(
  of: FilesLoad,
  own: readonly DataFile[],
  others: readonly DataFile[],
): Promise<ReadonlyMap<DataFile, number>> {
  const { mode, target } = of
  const { session, folder } = target
  const select = async (files: readonly DataFile[], ids: string, goes: string, first: number) =>
    `SELECT f.file_index + ${first} AS file, f.file_row_number AS "row", ${goes} AS goes
      FROM ${await selectFiles(session, folder, files)} f SEMI JOIN ${ids} i ON i.id = f.${quoteName(of.idColumn)}`
  const parts: string[] = []
  if (own.length > 0 && mode !== 'append' && !of.rewritesAll) {
    const ids = `(SELECT id FROM changes WHERE change IN ${formatGoing(of)})`
    parts.push(await select(own, ids, mode === 'history' ? 'f.is_current' : 'true', 0))
  }
  if (others.length > 0) parts.push(await select(others, formatKnown(of.records), 'true', own.length))
  if (parts.length === 0) return new Map()
  await session.duckdb.run(`CREATE OR REPLACE TABLE matched AS ${parts.join(' UNION ALL ')}`)
  const counts = await session.duckdb.readAll(
    'SELECT file::INTEGER, count(*) FILTER (goes)::INTEGER FROM matched GROUP BY ALL',
  )
  const files = [...own, ...others]
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
  const rows = await session.duckdb.readAll(
    `SELECT file::INTEGER, "row"::BIGINT FROM matched WHERE goes AND file IN (${numbers.join(', ')})`,
  )
  for (const [at, row] of rows) deletions.get(files[Number(at)] as DataFile)?.push(Number(row))
  for (const each of deletions.values()) each.sort((one, other) => one - other)
  return deletions
}
