import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readBatches } from '../loads/files/read-batches.ts'
import { type RowSet, toRowQueries } from '../loads/files/row-queries.ts'
import { formatNull, formatParquetFiles, quoteName, quoteText } from '../loads/files/sql-text.ts'
import type { StateFile } from '../loads/merge-result.ts'
import type { Column } from '../records/flatten/column.ts'
import { joinPath } from '../storage/paths.ts'
import { listDamaged } from './check-lake.ts'
import { selectColumns, writeDataFiles } from './data-files.ts'
import type { DataFile, LakeSession, TableSnapshot } from './lake-format.ts'
import { feedFolder, listLakeColumns, toLakeColumn } from './lake-plan.ts'
import { formatGoing, type PlannedFiles } from './plan-files.ts'
import type { TableLoad } from './plan-table.ts'

/** Queries of the columns `c0`, `c1`, … */
interface Sides {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Writes the rows that differ between the table as it is and as a load makes it, as PROTOCOL.md of delta-io/delta asks for it ("Change
 * Data Files"). Returns no file if only data files differ, and null if the table has no feed or readers find its changes in the data
 * files, as these are all new. `begun` is the table that the load begins with.
 */
export async function writeChanges(
  of: TableLoad,
  set: RowSet | null,
  { kept, deletions }: Pick<PlannedFiles, 'kept' | 'deletions'>,
  begun?: TableSnapshot,
): Promise<readonly StateFile[] | null> {
  const { plan, table, target, newest } = of
  if (plan.target.changeFeed !== true || newest === null) return null
  const stays = new Set(kept.filter((file) => !deletions.has(file) && isAsItIs(newest, file)).map(({ path }) => path))
  const goes = [...newest.files.values()].filter(({ path }) => !stays.has(path))
  const comes = kept.filter(({ path }) => !stays.has(path))
  if (goes.length + comes.length === 0) return null
  const columns = listLakeColumns(plan, table)
  const isPlain = begun === newest && !of.rewritesAll && plan.mode !== 'snapshot'
  const returned = isPlain ? [] : comes
  const sides: Sides = {
    before: isPlain ? selectGoing(of, set) : await selectFrom(of, columns, await listWhole(target, goes)),
    after: [...selectLoaded(set, isPlain), ...(await selectFrom(of, columns, returned, deletions))],
  }
  const key = [table.idColumn, ...(plan.mode === 'history' ? ['valid_from'] : []), ...table.positionColumns]
  const cells = columns.map((_, at) => `c${at}`)
  const differing = await writeDifferences(target.session, cells, sides)
  const query = formatChangeTypes(
    cells,
    key.map((name) => columns.findIndex((column) => column.name === name)),
    differing,
  )
  const fed: Column[] = [...columns.map(toLakeColumn), { name: '_change_type', type: { kind: 'text' }, list: false }]
  const path = joinPath(feedFolder(target.folder), `cdc-${randomUUID()}.parquet`)
  return writeDataFiles(target, { path, columns: fed }, readSlices(target.session, query, fed))
}

/** Whether the table lists a file with the same deleted rows. */
function isAsItIs({ files }: TableSnapshot, file: DataFile): boolean {
  const there = files.get(file.path)
  return there === file || (there?.deleted === 0 && file.deleted === 0)
}

/** The rows of the records that a load changes or removes, if nothing else changes. */
function selectGoing(of: TableLoad, set: RowSet | null): string[] {
  const { mode } = of.plan
  if (!set?.baseline?.rows || mode === 'append') return []
  const { rows, columnNames } = set.baseline
  const ids = `(SELECT id FROM changes WHERE change IN ${formatGoing({ mode, keepsTouched: true })})`
  return [
    `SELECT ${selectCells(set.columns, columnNames)} FROM ${rows} r SEMI JOIN ${ids} i ON i.id = r.${quoteName(set.table.idColumn)}
      ${mode === 'history' ? 'WHERE r.is_current' : ''}`,
  ]
}

/** The rows of the files that a load adds; if nothing else changes, without those that they take over from other files. */
function selectLoaded(set: RowSet | null, isPlain: boolean): string[] {
  if (set === null) return []
  const { kept, placed } = toRowQueries(set)
  return kept === null || isPlain ? [placed] : [kept, placed]
}

async function selectFrom(
  { target }: TableLoad,
  columns: readonly Column[],
  files: readonly DataFile[],
  deletions?: PlannedFiles['deletions'],
): Promise<string[]> {
  if (files.length === 0) return []
  const { query, names } = await selectColumns(target, columns, files, deletions)
  return [`SELECT ${selectCells(columns, names)} FROM (${query}) r`]
}

function selectCells(columns: readonly Column[], names: ReadonlySet<string>): string {
  return columns
    .map((column, at) => `${names.has(column.name) ? `r.${quoteName(column.name)}` : formatNull(column)} AS c${at}`)
    .join(', ')
}

/** The files that are there: rows that are lost can't be told. */
async function listWhole(
  { session, folder }: { readonly session: LakeSession; readonly folder: string },
  files: readonly DataFile[],
): Promise<DataFile[]> {
  const whole: DataFile[] = []
  for (const file of files) {
    const { done } = await listDamaged(session, folder, [file]).next()
    if (done === true) whole.push(file)
  }
  return whole
}

/** Rows are the same if all cells are. A file of the others lets DuckDB forget how they were found before they are paired. */
async function writeDifferences(
  { duckdb, folder }: LakeSession,
  columns: readonly string[],
  { before, after }: Sides,
): Promise<string> {
  const cells = columns.join(', ')
  const rows = [
    ...before.map((query) => `SELECT ${cells}, -1 AS side FROM (${query})`),
    ...after.map((query) => `SELECT ${cells}, 1 AS side FROM (${query})`),
  ]
  const path = join(folder, `differing-${randomUUID()}.parquet`)
  await duckdb.run(
    `COPY (SELECT ${cells}, sum(side)::INTEGER AS balance FROM (${rows.join(' UNION ALL ')}) GROUP BY ${cells} HAVING balance <> 0)
      TO ${quoteText(path)} (FORMAT parquet)`,
  )
  return formatParquetFiles([path])
}

/** Rows with the same key are the two sides of an update. */
function formatChangeTypes(columns: readonly string[], key: readonly number[], differing: string): string {
  const cells = columns.join(', ')
  const keys = key.map((at) => `c${at}`).join(', ')
  return `WITH each AS (SELECT ${cells}, sign(balance) AS side, unnest(range(abs(balance))) AS copy FROM ${differing}),
    numbered AS (SELECT *, row_number() OVER (PARTITION BY ${keys}, side ORDER BY copy) AS nth FROM each),
    paired AS (SELECT *, count(*) OVER (PARTITION BY ${keys}, nth) = 2 AS is_update FROM numbered)
    SELECT ${cells}, CASE WHEN is_update THEN if(side < 0, 'update_preimage', 'update_postimage')
      ELSE if(side < 0, 'delete', 'insert') END AS c${columns.length}
    FROM paired ORDER BY ${keys}, nth, side`
}

async function* readSlices({ duckdb }: LakeSession, query: string, columns: readonly Column[]) {
  for await (const batch of readBatches(duckdb, query, columns)) yield { batch, from: 0, to: batch.length }
}
