import { createSliceEncoder } from '../../loads/files/column-batch.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { readBatches } from '../../loads/files/read-batches.ts'
import {
  formatMixedFiles,
  formatNull,
  formatParquetFiles,
  formatSqlType,
  quoteName,
  quoteText,
} from '../../loads/files/sql-text.ts'
import type { FileReport } from '../../manifest/manifest.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { Column } from '../../records/flatten/column.ts'
import { parseColumnType } from '../../types/column-types.ts'
import type { ChangedRow, FoundChange } from './record-change.ts'

/** A file of changes on this machine. */
export interface LocalFile extends Pick<FileReport, 'columns'> {
  readonly path: string
}

export interface WantedRows {
  readonly files: readonly LocalFile[]
  readonly idColumn: string
  /** Only records behind this one; null for all. */
  readonly afterId: string | null
}

/**
 * Reads the changed records of a run, by id, each with its row in the last of the `earlier` files that has one; these are
 * in the order of their runs.
 */
export async function* readRecords(
  duckdb: Duckdb,
  wanted: WantedRows,
  earlier: readonly LocalFile[],
): AsyncGenerator<FoundChange> {
  const columns = listColumns(wanted)
  const id = quoteName(wanted.idColumn)
  const before = earlier.length === 0 ? null : selectEarlier(wanted, earlier)
  const known = new Set(earlier.flatMap((file) => file.columns.map(({ name }) => name)))
  const cells = [
    'c._change',
    'c._changed_at',
    `CAST(c.${id} AS VARCHAR)`,
    before === null ? 'false' : `coalesce(b._change <> 'removed', false)`,
    ...columns.map(({ name }) => `c.${quoteName(name)}`),
    ...columns.map((column) => (known.has(column.name) ? `b.${quoteName(column.name)}` : formatNull(column))),
  ]
  const from = `${selectFiles(wanted)} c`
  // A join that does not fit into memory is out of order.
  const joined = before === null ? from : `${from} LEFT JOIN (${before}) b ON b.${id} = c.${id} ORDER BY c.${id}`
  const found = [
    ...facts,
    ...columns.map((column, at) => ({ ...column, name: `after ${at}` })),
    ...columns.map((column, at) => ({ ...column, name: `before ${at}` })),
  ]
  const toRow = (cellsOf: ChangedRow, side: string): ChangedRow =>
    Object.fromEntries(columns.map(({ name }, at) => [name, cellsOf[`${side} ${at}`]]))
  for await (const row of readObjects(duckdb, cells, joined, found)) {
    const change = row['change'] as FoundChange['change']
    yield {
      change,
      changedAt: row['changedAt'] as string,
      id: row['id'] as string,
      before: row['isKnown'] === true ? toRow(row, 'before') : null,
      after: change === 'removed' ? null : toRow(row, 'after'),
    }
  }
}

const facts: readonly Column[] = [
  { name: 'change', type: { kind: 'text' }, list: false },
  { name: 'changedAt', type: { kind: 'timestamp' }, list: false },
  { name: 'id', type: { kind: 'text' }, list: false },
  { name: 'isKnown', type: { kind: 'boolean' }, list: false },
]

/** Selects the last row of each record that the run changed. */
function selectEarlier({ files, idColumn }: WantedRows, earlier: readonly LocalFile[]): string {
  const id = quoteName(idColumn)
  return `SELECT e.* FROM ${formatMixedFiles(earlier.map(({ path }) => path))} e
    SEMI JOIN ${formatParquetFiles(files.map(({ path }) => path))} own ON own.${id} = e.${id}
    QUALIFY row_number() OVER (PARTITION BY e.${id} ORDER BY e.file_index DESC) = 1`
}

export interface RecordRows {
  readonly id: string
  readonly rows: readonly ChangedRow[]
}

/** Reads the rows of another table, those of each record together, by id. */
export async function* readRowsOfRecords(duckdb: Duckdb, wanted: WantedRows): AsyncGenerator<RecordRows> {
  const columns = listColumns(wanted)
  const cells = columns.map(({ name }) => quoteName(name))
  let open = null as { id: string; rows: ChangedRow[] } | null
  for await (const row of readObjects(duckdb, cells, selectFiles(wanted), columns)) {
    const id = String(row[wanted.idColumn])
    if (open !== null && open.id !== id) yield open
    if (open?.id === id) open.rows.push(row)
    else open = { id, rows: [row] }
  }
  if (open !== null) yield open
}

function listColumns({ files }: WantedRows): Column[] {
  return (files[0]?.columns ?? []).flatMap(({ name, type }) => {
    const parsed = modeColumns.has(name) ? null : parseColumnType(type)
    return parsed === null ? [] : [{ name, ...parsed }]
  })
}

const modeColumns = new Set(listModeColumns({ mode: 'changes', removed: 'drop' }).map(({ name }) => name))

function selectFiles({ files, idColumn, afterId }: WantedRows): string {
  const all = formatParquetFiles(files.map(({ path }) => path))
  if (afterId === null) return all
  const id = listColumns({ files, idColumn, afterId }).find(({ name }) => name === idColumn)
  const type = id === undefined ? 'VARCHAR' : formatSqlType(id)
  return `(SELECT * FROM ${all} WHERE ${quoteName(idColumn)} > CAST(${quoteText(afterId)} AS ${type}))`
}

async function* readObjects(
  duckdb: Duckdb,
  cells: readonly string[],
  from: string,
  columns: readonly Column[],
): AsyncGenerator<ChangedRow> {
  const encode = createSliceEncoder({ format: 'ndjson' }, columns)
  const selected = cells.map((cell, at) => `${cell} AS c${at}`).join(', ')
  for await (const batch of readBatches(duckdb, `SELECT ${selected} FROM ${from}`, columns)) {
    const text = Buffer.from(encode([{ batch, from: 0, to: batch.length }])).toString()
    for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line) as ChangedRow
  }
}
