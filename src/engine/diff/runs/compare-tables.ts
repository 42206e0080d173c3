import type { Duckdb } from '../../../loads/files/open-duckdb.ts'
import { quoteName, quoteText } from '../../../loads/files/sql-text.ts'
import type { ReadableColumn } from '../../profile/readable-table.ts'
import { wholeRecord } from '../compare-records.ts'
import type { Difference, FieldDiff, TableDiff } from '../diff-report.ts'
import type { DifferenceFile } from '../difference-file.ts'
import type { RowKey } from './row-key.ts'
import type { RunTable } from './run-tables.ts'

export interface ComparedTable {
  readonly name: string
  readonly old: RunTable
  readonly next: RunTable
  readonly key: RowKey
  /** Those that are compared. */
  readonly columns: readonly ReadableColumn[]
}

/**
 * The rows of the tables that differ, in the table `differing` of DuckDB: keys as k0, k1; values as o0 and n0. Large tables are
 * compared a share of the keys at a time, as a join of whole tables takes memory for all their values.
 */
export async function compareTables(duckdb: Duckdb, table: ComparedTable): Promise<void> {
  const shares = await countShares(duckdb, table)
  for (let share = 0; share < shares; share++) {
    const rows = formatDifferingRows(table, share, shares)
    await duckdb.run(share === 0 ? `CREATE OR REPLACE TABLE differing AS ${rows}` : `INSERT INTO differing ${rows}`)
  }
}

async function countShares(duckdb: Duckdb, { old, next, key, columns }: ComparedTable): Promise<number> {
  const [[rows] = []] = await duckdb.readAll(
    `SELECT ((SELECT count(*) FROM ${old.from}) + (SELECT count(*) FROM ${next.from}))::DOUBLE`,
  )
  return Math.max(1, Math.ceil((Number(rows) * (key.columns.length + columns.length)) / shareValues))
}

/** Values that are compared at a time. */
const shareValues = 4e6

function formatDifferingRows({ old, next, key, columns }: ComparedTable, share: number, shares: number): string {
  const texts = [
    ...key.columns.map((name, at) => `CAST(${quoteName(name)} AS VARCHAR) AS k${at}`),
    ...columns.map((column, at) => `${formatText(column)} AS v${at}`),
    ...key.order.map((name, at) => `${quoteName(name)} AS p${at}`),
  ].join(', ')
  const keys = key.columns.map((_, at) => `k${at}`)
  const values = columns.map((_, at) => `v${at}`)
  const places = key.order.map((_, at) => `p${at}`)
  // Elements of records that come twice have the same place: a hash is faster to order by than long values.
  const order =
    places.length === 0 || values.length === 0 ? [...places, ...values] : [...places, `hash(${values.join(', ')})`]
  const repetition = `row_number() OVER (PARTITION BY ${keys.join(', ')} ORDER BY ${[...order, keys[0]].join(', ')})`
  const isOfShare =
    shares === 1 ? '' : `WHERE hash(CAST(${quoteName(key.columns[0] ?? '')} AS VARCHAR)) % ${shares} = ${share}`
  const select = (from: string): string =>
    `SELECT *, ${repetition} AS repetition FROM (SELECT ${texts} FROM ${from} ${isOfShare})`
  const matches = ['repetition', ...keys].map((name) => `o.${name} IS NOT DISTINCT FROM n.${name}`)
  const [isNew, isRemoved] = ['o.repetition IS NULL', 'n.repetition IS NULL']
  const chosen = [
    ...keys.map((name) => `coalesce(o.${name}, n.${name}) AS ${name}`),
    `${isNew} AS is_new`,
    `${isRemoved} AS is_removed`,
    ...columns.flatMap((_, at) => [`o.v${at} AS o${at}`, `n.v${at} AS n${at}`]),
  ]
  const differs = [isNew, isRemoved, ...columns.map((_, at) => `o.v${at} IS DISTINCT FROM n.v${at}`)]
  return `SELECT ${chosen.join(', ')}
    FROM (${select(old.from)}) o FULL JOIN (${select(next.from)}) n ON ${matches.join(' AND ')}
    WHERE ${differs.join(' OR ')}`
}

/** The counts and examples of the table `differing`; each difference goes into the file. */
export async function toTableDiff(
  duckdb: Duckdb,
  table: ComparedTable,
  file: DifferenceFile | null,
): Promise<TableDiff> {
  const { name, old, key } = table
  const [counts = []] = await duckdb.readAll(`
    SELECT (SELECT count(*) FROM ${old.from})::DOUBLE, count(*) FILTER (is_new)::DOUBLE,
      count(*) FILTER (is_removed)::DOUBLE, count(*) FILTER (NOT is_new AND NOT is_removed)::DOUBLE FROM differing`)
  const [all = 0, added = 0, removed = 0, changed = 0] = counts.map(Number)
  if (file !== null) await writeDifferences(duckdb, table, file)
  return {
    name,
    key: key.columns,
    new: added,
    removed,
    changed,
    unchanged: all - removed - changed,
    fields: await listFields(duckdb, table),
  }
}

async function listFields(duckdb: Duckdb, table: ComparedTable): Promise<FieldDiff[]> {
  const { name, columns } = table
  if (columns.length === 0) return []
  const counted = columns.map((_, at) => `count(*) FILTER (${isChanged(at)})::DOUBLE`)
  const [counts = []] = await duckdb.readAll(`SELECT ${counted.join(', ')} FROM differing`)
  const fields: FieldDiff[] = []
  for (const [at, column] of columns.entries()) {
    const count = Number(counts[at])
    if (count === 0) continue
    const cut = (side: string): string => `left(${side}${at}, ${longestExample})`
    const [row = []] = await duckdb.readAll(
      `SELECT ${formatPlace(table)}, ${cut('o')}, ${cut('n')} FROM differing WHERE ${isChanged(at)} ORDER BY ${listKeys(table)} LIMIT 1`,
    )
    const field = `${name}.${column.name}`
    fields.push({ field, count, example: toDifference(field, row as unknown as Texts) })
  }
  return fields.toSorted((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1))
}

/** True for rows of both sides in which the column differs. */
function isChanged(at: number): string {
  return `NOT is_new AND NOT is_removed AND o${at} IS DISTINCT FROM n${at}`
}

const longestExample = 200

type Texts = readonly [id: string, element: string | null, old: string | null, next: string | null]

function toDifference(field: string, [id, element, old, next]: Texts): Difference {
  return { id, field, element, old, new: next }
}

function listKeys({ key }: ComparedTable): string {
  return key.columns.map((_, at) => `k${at}`).join(', ')
}

/** The columns `id` and `element` of a difference. */
function formatPlace({ key }: ComparedTable): string {
  const others = key.columns.slice(1).map((_, at) => `k${at + 1}`)
  return `k0, ${others.length === 0 ? 'NULL' : `concat_ws('/', ${others.join(', ')})`}`
}

async function writeDifferences(duckdb: Duckdb, table: ComparedTable, file: DifferenceFile): Promise<void> {
  const { name, columns } = table
  const changes = columns.map(
    (column, at) => `{ nth: ${at}, field: ${quoteText(`${name}.${column.name}`)}, o: o${at}, n: n${at} }`,
  )
  const toJson = (side: string): string => {
    const members = columns.map((column, at) => `${quoteName(column.name)}: ${formatJson(column, side + at)}`)
    return members.length === 0 ? `'{}'` : `to_json({ ${members.join(', ')} })::VARCHAR`
  }
  const others = `ELSE list_filter([${changes.join(', ')}], lambda each: each.o IS DISTINCT FROM each.n)`
  const whole = quoteText(`${name}.${wholeRecord}`)
  await duckdb.run(`CREATE OR REPLACE TABLE differences AS
    SELECT id, element, u.field, u.o, u.n FROM (
      SELECT ${listKeys(table)}, ${formatPlace(table).replace('k0, ', 'k0 AS id, ')} AS element, unnest(CASE
        WHEN is_new THEN [{ nth: 0, field: ${whole}, o: NULL::VARCHAR, n: ${toJson('n')} }]
        WHEN is_removed THEN [{ nth: 0, field: ${whole}, o: ${toJson('o')}, n: NULL::VARCHAR }]
        ${changes.length === 0 ? '' : others} END) AS u
      FROM differing) ORDER BY ${listKeys(table)}, u.nth`)
  for (let first = 0; ; first += pageRows) {
    const page = await duckdb.readAll(
      `SELECT field, id, element, o, n FROM differences WHERE rowid >= ${first} AND rowid < ${first + pageRows} ORDER BY rowid`,
    )
    for (const [field, ...texts] of page) await file.add(toDifference(String(field), texts as unknown as Texts))
    if (page.length < pageRows) return
  }
}

const pageRows = 50_000

/** Text as it is, times as ISO 8601, everything else as JSON. The order alone of a list is no difference. */
function formatText({ name, kind, list }: ReadableColumn): string {
  const column = quoteName(name)
  if (!list) return formatScalar(column, kind)
  const sorted = `list_sort(${column})`
  if (kind !== 'timestamp' && kind !== 'decimal' && kind !== 'float') return `CAST(to_json(${sorted}) AS VARCHAR)`
  // DuckDB makes JSON of decimals by way of floats.
  const [text, quote] = [formatScalar('element', kind), kind === 'timestamp' ? '"' : '']
  const element = `coalesce('${quote}' || ${text} || '${quote}', 'null')`
  return `'[' || array_to_string(list_transform(${sorted}, lambda element: ${element}), ',') || ']'`
}

function formatScalar(value: string, kind: ReadableColumn['kind']): string {
  if (kind === 'timestamp') return `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`
  // Parquet keeps the sign of a zero, text does not.
  return `CAST(${kind === 'float' ? `${value} + 0` : value} AS VARCHAR)`
}

/** The value of a text that `formatText` has given. */
function formatJson({ kind, list }: ReadableColumn, text: string): string {
  const isText = !list && (kind === 'text' || kind === 'timestamp' || kind === 'date')
  return isText ? text : `coalesce(TRY_CAST(${text} AS JSON), to_json(${text}))`
}
