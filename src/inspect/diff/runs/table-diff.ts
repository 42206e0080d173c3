import type { Duckdb } from '../../../loads/files/open-duckdb.ts'
import { quoteName, quoteText } from '../../../loads/files/sql-text.ts'
import type { ReadableColumn } from '../../profile/readable-table.ts'
import { wholeRecord } from '../compare-records.ts'
import type { Difference, FieldDiff, TableDiff } from '../diff-report.ts'
import type { DifferenceFile } from '../difference-file.ts'
import type { GroupOfColumn } from './column-groups.ts'
import type { ComparedTable } from './compare-tables.ts'
import { formatWithTable, type WithColumns } from './with-columns.ts'

export interface DifferenceWriting {
  readonly file: DifferenceFile
  readonly withColumns: WithColumns
  readonly groupOf: GroupOfColumn
}

export async function toTableDiff(
  duckdb: Duckdb,
  table: ComparedTable,
  writing: DifferenceWriting | null,
): Promise<TableDiff> {
  const { name, old, key } = table
  const [counts = []] = await duckdb.readAll(`
    SELECT (SELECT count(*) FROM ${old.from})::DOUBLE, count(*) FILTER (is_new)::DOUBLE,
      count(*) FILTER (is_removed)::DOUBLE, count(*) FILTER (NOT is_new AND NOT is_removed)::DOUBLE FROM differing`)
  const [all = 0, added = 0, removed = 0, changed = 0] = counts.map(Number)
  if (writing !== null) await writeDifferences(duckdb, table, writing)
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

function formatPlace({ key }: ComparedTable): string {
  const others = key.columns.slice(1).map((_, at) => `k${at + 1}`)
  return `k0 AS id, ${others.length === 0 ? 'NULL' : `concat_ws('/', ${others.join(', ')})`} AS element`
}

async function writeDifferences(
  duckdb: Duckdb,
  table: ComparedTable,
  { file, withColumns, groupOf }: DifferenceWriting,
): Promise<void> {
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
      SELECT ${listKeys(table)}, ${formatPlace(table)}, unnest(CASE
        WHEN is_new THEN [{ nth: 0, field: ${whole}, o: NULL::VARCHAR, n: ${toJson('n')} }]
        WHEN is_removed THEN [{ nth: 0, field: ${whole}, o: ${toJson('o')}, n: NULL::VARCHAR }]
        ${changes.length === 0 ? '' : others} END) AS u
      FROM differing) ORDER BY ${listKeys(table)}, u.nth`)
  const values = formatWithTable(withColumns)
  const cells = withColumns.names.map((_, at) => `, w.w${at}`).join('')
  const joined = values === null ? '' : `LEFT JOIN (${values}) w ON w.id = d.id`
  for (let first = 0; ; first += pageRows) {
    const page = await duckdb.readAll(
      `SELECT d.field, d.id, d.element, d.o, d.n${cells} FROM (SELECT *, rowid AS nth FROM differences WHERE rowid >= ${first} AND rowid < ${first + pageRows}) d
        ${joined} ORDER BY d.nth`,
    )
    for (const [field, id, element, old, next, ...known] of page) {
      const difference = toDifference(String(field), [id, element, old, next] as unknown as Texts)
      await file.add({ difference, group: groupOf(difference), with: known as (string | null)[] })
    }
    if (page.length < pageRows) return
  }
}

const pageRows = 50_000

/** SQL for the value behind a text from `formatText`. */
function formatJson({ kind, list }: ReadableColumn, text: string): string {
  const isText = !list && (kind === 'text' || kind === 'timestamp' || kind === 'date')
  return isText ? text : `coalesce(TRY_CAST(${text} AS JSON), to_json(${text}))`
}
