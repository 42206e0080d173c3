import type { Duckdb } from '../../../loads/files/open-duckdb.ts'
import { quoteName } from '../../../loads/files/sql-text.ts'
import type { ReadableColumn } from '../../profile/readable-table.ts'
import type { RowKey } from './row-key.ts'
import type { RunTable } from './run-tables.ts'

export interface ComparedTable {
  readonly name: string
  readonly old: RunTable
  readonly next: RunTable
  readonly key: RowKey
  readonly columns: readonly ReadableColumn[]
}

/**
 * Writes rows that differ to the DuckDB table `differing`: keys as k0, k1; values as o0 and n0. Compares large tables
 * by shares of the keys, since joining whole tables holds all their values in memory.
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
  // Repeated records have equal keys and positions. Ordering by a hash is faster than by long values.
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

/**
 * Formats text as it is, times as ISO 8601, other values as JSON. Lists are sorted, so that their order is no
 * difference.
 */
export function formatText({ name, kind, list }: ReadableColumn): string {
  const column = quoteName(name)
  if (!list) return formatScalar(column, kind)
  const sorted = `list_sort(${column})`
  if (kind !== 'timestamp' && kind !== 'decimal' && kind !== 'float') return `CAST(to_json(${sorted}) AS VARCHAR)`
  // DuckDB converts decimals to JSON through floats.
  const [text, quote] = [formatScalar('element', kind), kind === 'timestamp' ? '"' : '']
  const element = `coalesce('${quote}' || ${text} || '${quote}', 'null')`
  return `'[' || array_to_string(list_transform(${sorted}, lambda element: ${element}), ',') || ']'`
}

function formatScalar(value: string, kind: ReadableColumn['kind']): string {
  if (kind === 'timestamp') return `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`
  // Parquet keeps the sign of zero, text formats don't.
  return `CAST(${kind === 'float' ? `${value} + 0` : value} AS VARCHAR)`
}
