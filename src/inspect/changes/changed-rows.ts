import { createSliceEncoder } from '../../loads/files/column-batch.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { readBatches } from '../../loads/files/read-batches.ts'
import { formatNull, formatParquetFiles, formatSqlType, quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { FileReport } from '../../manifest/manifest.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { Column } from '../../records/flatten/column.ts'
import { parseColumnType } from '../../types/column-types.ts'
import { mayLoseDigits, parseExactly } from '../../types/json-text.ts'
import type { ChangedRow, FoundChange } from './record-change.ts'

/** A file of changes on this machine. */
export interface LocalFile extends Pick<FileReport, 'columns'> {
  readonly path: string
  /** Equal for files of equal columns. */
  readonly shape: string
}

export interface WantedRows {
  readonly files: readonly LocalFile[]
  /** As the config has it now. */
  readonly idColumn: string
  /** Only records behind this one; null for all. */
  readonly afterId: string | null
}

/**
 * Reads the changed records of a run, by id, each with its row in the last of the `earlier` files that has one; these are
 * in the order of their runs. Such a row has null in columns that its file lacks, or has with another type.
 */
export async function* readRecords(
  duckdb: Duckdb,
  wanted: WantedRows,
  earlier: readonly LocalFile[],
): AsyncGenerator<FoundChange> {
  const columns = listColumns(wanted)
  const id = quoteName(findId(wanted).name)
  const before = selectEarlier(wanted, columns, earlier)
  const cells = [
    'c._change',
    'c._changed_at',
    `CAST(c.${id} AS VARCHAR)`,
    before === null ? 'false' : `coalesce(b.change <> 'removed', false)`,
    ...columns.map(({ name }) => `c.${quoteName(name)}`),
    ...columns.map((column, at) => (before === null ? formatNull(column) : `b.cell${at}`)),
  ]
  const from = `${selectFiles(wanted)} c`
  // A join that does not fit into memory is out of order.
  const joined = before === null ? from : `${from} LEFT JOIN (${before}) b ON b.id = c.${id} ORDER BY c.${id}`
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

/** Selects the last row of each record that the run changed; null if no file can have one. */
function selectEarlier(wanted: WantedRows, columns: readonly Column[], earlier: readonly LocalFile[]): string | null {
  const id = findId(wanted)
  const [{ columns: written } = { columns: [] }] = wanted.files
  const typeOf = new Map(written.map(({ name, type }) => [name, type]))
  const idOf = (files: readonly LocalFile[]) => findId({ ...wanted, files })
  const all = groupByShape(earlier)
  const groups = all.slice(all.findLastIndex((files) => idOf(files).type.kind !== id.type.kind) + 1)
  if (groups.length === 0) return null
  const rows = groups.map((files, group) => {
    const [first] = files as [LocalFile]
    const isSame = (name: string) => first.columns.some((each) => each.name === name && each.type === typeOf.get(name))
    const idCell = quoteName(idOf(files).name)
    const cells = columns.map((column, at) => {
      const cell = isSame(column.name) ? quoteName(column.name) : formatNull(column)
      return `${column.name === id.name ? idCell : cell} AS cell${at}`
    })
    const selected = [`${idCell} AS id`, '_change AS change', ...cells]
    return `SELECT ${selected.join(', ')}, ${group} AS group_index, file_index AS file FROM ${formatParquetFiles(files.map(({ path }) => path))}`
  })
  return `SELECT e.* FROM (${rows.join(' UNION ALL ')}) e
    SEMI JOIN ${formatParquetFiles(wanted.files.map(({ path }) => path))} own ON own.${quoteName(id.name)} = e.id
    QUALIFY row_number() OVER (PARTITION BY e.id ORDER BY e.group_index DESC, e.file DESC) = 1`
}

/** Adjacent files of equal columns together. */
function groupByShape(files: readonly LocalFile[]): LocalFile[][] {
  const groups: LocalFile[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last?.[0]?.shape === file.shape) last.push(file)
    else groups.push([file])
  }
  return groups
}

export interface RecordRows {
  readonly id: string
  readonly rows: readonly ChangedRow[]
}

/** Reads the rows of another table, those of each record together, by id. */
export async function* readRowsOfRecords(duckdb: Duckdb, wanted: WantedRows): AsyncGenerator<RecordRows> {
  const columns = listColumns(wanted)
  const cells = columns.map(({ name }) => quoteName(name))
  const { name: idName } = findId(wanted)
  let open = null as { id: string; rows: ChangedRow[] } | null
  for await (const row of readObjects(duckdb, cells, selectFiles(wanted), columns)) {
    const id = String(row[idName])
    if (open !== null && open.id !== id) yield open
    if (open?.id === id) open.rows.push(row)
    else open = { id, rows: [row] }
  }
  if (open !== null) yield open
}

/** Compares ids as the files order them: as numbers, or by their bytes. */
export function compareIds(wanted: WantedRows): (one: string, other: string) => number {
  if (findId(wanted).type.kind === 'integer') return (one, other) => Number(BigInt(one) - BigInt(other))
  return (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function listColumns({ files }: Pick<WantedRows, 'files'>): Column[] {
  return (files[0]?.columns ?? []).flatMap(({ name, type }) => {
    const parsed = modeColumns.has(name) ? null : parseColumnType(type)
    return parsed === null ? [] : [{ name, ...parsed }]
  })
}

/** Finds the column of the record's id, which an earlier config may have named otherwise. */
function findId({ files, idColumn }: Pick<WantedRows, 'files' | 'idColumn'>): Column {
  const columns = listColumns({ files })
  const former = files[0]?.columns.find(({ from }) => from === 'id')?.name
  const find = (wanted: string | undefined) => columns.find(({ name }) => name === wanted)
  return find(idColumn) ?? find(former) ?? { name: idColumn, type: { kind: 'text' }, list: false }
}

const modeColumns = new Set(listModeColumns({ mode: 'changes', removed: 'drop' }).map(({ name }) => name))

function selectFiles(wanted: WantedRows): string {
  const all = formatParquetFiles(wanted.files.map(({ path }) => path))
  if (wanted.afterId === null) return all
  const id = findId(wanted)
  return `(SELECT * FROM ${all} WHERE ${quoteName(id.name)} > CAST(${quoteText(wanted.afterId)} AS ${formatSqlType(id)}))`
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
    for (const line of text.split('\n')) if (line !== '') yield parseRow(line, columns)
  }
}

/** A whole number beyond 2^53 is a bigint in a row, but not in a float column. */
function parseRow(line: string, columns: readonly Column[]): ChangedRow {
  const plain = JSON.parse(line) as ChangedRow
  if (!mayLoseDigits(line)) return plain
  const exact = parseExactly(line) as ChangedRow
  return Object.fromEntries(columns.map(({ name, type }) => [name, (type.kind === 'float' ? plain : exact)[name]]))
}
