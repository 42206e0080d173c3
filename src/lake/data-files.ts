import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FieldIds } from '../formats/parquet/parquet-type.ts'
import type { ColumnBatch, ScalarValues } from '../loads/files/column-batch.ts'
import type { SliceOf } from '../loads/files/merge-batches.ts'
import type { Duckdb } from '../loads/files/open-duckdb.ts'
import { readBatches } from '../loads/files/read-batches.ts'
import { OutputWriter, type WriterTarget } from '../loads/files/output-writer.ts'
import { formatMixedFiles, formatSqlType, quoteName, quoteText } from '../loads/files/sql-text.ts'
import type { StateFile } from '../loads/merge-result.ts'
import type { Column } from '../records/flatten/column.ts'
import type { StagedSet } from '../storage/staged-set.ts'
import type { DataFile, LakeSession } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'

/** Where the rows of a table are written, and how. */
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

/** Writes rows into Parquet files under the name that is given, numbered if there are several. */
export async function writeDataFiles(
  { staged, metadata, runId, compression }: RowsTarget,
  file: Pick<WriterTarget, 'path' | 'columns' | 'fieldIds' | 'onRowGroup'>,
  slices: AsyncIterable<SliceOf<ColumnBatch>>,
): Promise<readonly StateFile[]> {
  const writer = new OutputWriter(
    {
      ...file,
      format: { format: 'parquet', compression, rowGroupRows: 100_000 },
      gzip: false,
      rowsPerFile: null,
      bytesPerFile: mostFileBytes,
      place: { folders: [], suffix: '' },
      empty: 'nothing',
    },
    { set: staged, runId, metadata },
  )
  for await (const slice of slices) await writer.write(slice, [])
  return writer.finish()
}

const mostFileBytes = 64 * 1024 * 1024

/**
 * The rows of data files that are not deleted, as SQL that may follow FROM; with `file_index` and `file_row_number`. `deletions` are
 * the deleted rows of files in place of those that they have.
 */
export async function selectFiles(
  session: LakeSession,
  folder: string,
  files: readonly DataFile[],
  deletions: ReadonlyMap<DataFile, readonly number[]> = new Map(),
): Promise<string> {
  const paths: string[] = []
  const deleted: string[] = []
  for (const [index, file] of files.entries()) {
    paths.push(await session.toLocal(session.format.locate(folder, file)))
    const rows =
      deletions.get(file) ?? (file.deleted === 0 ? [] : await session.format.readDeleted(session, folder, file))
    for (const row of rows) deleted.push(`${index},${row}\n`)
  }
  const from = formatMixedFiles(paths)
  if (deleted.length === 0) return from
  const list = join(session.folder, `deleted-${randomUUID()}.csv`)
  await writeFile(list, deleted.join(''))
  return `(SELECT f.*, f.file_index, f.file_row_number FROM ${from} f
    ANTI JOIN read_csv(${quoteText(list)}, header = false, columns = {'at': 'BIGINT', 'row': 'BIGINT'}) d
    ON d."at" = f.file_index AND d."row" = f.file_row_number)`
}

/** Reads the places that a query selects, as `c0`, the number of a file, and `c1`, of a row in it. */
export async function* readPlaces(duckdb: Duckdb, query: string): AsyncGenerator<readonly [file: number, row: number]> {
  for await (const { length, values } of readBatches(duckdb, query, placeColumns)) {
    const [files, rows] = values.map((each) => new BigInt64Array((each as ScalarValues).bytes.buffer, 0, length))
    for (let at = 0; at < length; at++) yield [Number(files?.[at]), Number(rows?.[at])]
  }
}

const placeColumns: readonly Column[] = ['file', 'row'].map((name) => ({
  name,
  type: { kind: 'integer' },
  list: false,
}))

/**
 * As `selectFiles`, as a query of the columns that the files have, with the types of the columns: other engines have other ones in
 * their files.
 */
export async function selectColumns(
  { session, folder }: Pick<RowsTarget, 'session' | 'folder'>,
  columns: readonly Column[],
  files: readonly DataFile[],
  deletions?: ReadonlyMap<DataFile, readonly number[]>,
): Promise<{ readonly query: string; readonly names: ReadonlySet<string> }> {
  const from = await selectFiles(session, folder, files, deletions)
  const there = await session.duckdb.readAll(`DESCRIBE FROM ${from}`)
  const types = new Map(there.map(([name, type]) => [String(name), String(type)]))
  const known = columns.filter(({ name }) => types.has(name))
  const cells = known.map((column) => {
    const name = quoteName(column.name)
    const isSame = types.get(column.name) === formatSqlType(column)
    return isSame ? `f.${name}` : `CAST(f.${name} AS ${formatSqlType(column)}) AS ${name}`
  })
  const query = `SELECT ${[...cells, 'f.file_index', 'f.file_row_number'].join(', ')} FROM ${from} f`
  return { query, names: new Set(known.map(({ name }) => name)) }
}
