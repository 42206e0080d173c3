import { typeOf } from '../../types/column-types.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import type { ColumnProfile, TableProfile } from '../../kernel/profile/run-profile.ts'
import { longestBound } from '../../kernel/profile/state-layout.ts'
import { measureColumn } from './measure-column.ts'
import { type ProfileSelection, selectTables } from './profile-selection.ts'
import type { ReadableColumn, ReadableTable } from './readable-table.ts'

export async function profileTables(
  duckdb: Duckdb,
  tables: readonly ReadableTable[],
  selection: ProfileSelection,
): Promise<TableProfile[]> {
  const profiles: TableProfile[] = []
  for (const table of selectTables(tables, selection)) profiles.push(await profileTable(duckdb, table))
  return profiles
}

/** Profiles a table with exact counts of all values. Reads the columns one by one. */
async function profileTable(duckdb: Duckdb, { name, from, columns }: ReadableTable): Promise<TableProfile> {
  const [[rows = 0] = []] = await duckdb.readAll(`SELECT count(*) FROM ${from}`)
  const profiles: ColumnProfile[] = []
  for (const column of columns) profiles.push(await profileColumn(duckdb, from, column))
  return { name, rows: Number(rows), columns: profiles }
}

async function profileColumn(duckdb: Duckdb, from: string, column: ReadableColumn): Promise<ColumnProfile> {
  const { name, type, kind, unit } = column
  const [row = []] = await duckdb.readAll(formatQuery(from, column))
  const [filled, distinct, longest, min, max, frequent] = row as CountedRow
  const isOpaque = kind === null || kind === 'json'
  return {
    name,
    type,
    ...(unit !== undefined && { unit }),
    filled: Number(filled),
    ...(!isOpaque && { min: toValue(min, column), max: toValue(max, column) }),
    ...(kind === 'text' && longest !== null && { longest: Number(longest) }),
    distinct: Number(distinct),
    ...(!isOpaque && { frequent: toFrequent(frequent, column) }),
    ...(await measureColumn(duckdb, from, column)),
  }
}

/** Counts are 64-bit integers as text. */
type CountedRow = [
  filled: string,
  distinct: string,
  longest: string | null,
  min: string | null,
  max: string | null,
  frequent: readonly { readonly value: string; readonly count: string }[] | null,
]

/** Counts every distinct value and derives the profile from that. The values of a list are its elements. */
function formatQuery(from: string, column: ReadableColumn): string {
  const { name, kind, list } = column
  const cell = quoteName(name)
  const value = list ? `unnest(${cell})` : cell
  const isOpaque = kind === null || kind === 'json'
  const bounds = isOpaque ? ['NULL', 'NULL'] : [`min(value)`, `max(value)`].map((bound) => formatText(bound, kind))
  const frequent = isOpaque
    ? 'NULL'
    : `(SELECT list({'value': ${formatText('value', kind)}, 'count': count} ORDER BY count DESC, value)
      FROM (SELECT * FROM counted ORDER BY count DESC, value LIMIT ${mostFrequent}))`
  return `WITH counted AS MATERIALIZED (
      SELECT value, count(*) AS count FROM (SELECT ${value} AS value FROM ${from}) WHERE value IS NOT NULL GROUP BY value
    )
    SELECT (SELECT count(${cell}) FROM ${from}), count(*), ${kind === 'text' ? 'max(length(value))' : 'NULL'},
      ${bounds.join(', ')}, ${frequent} FROM counted`
}

const mostFrequent = 10

/** A value as text without loss; times are milliseconds since 1970. */
function formatText(expression: string, kind: ReadableColumn['kind']): string {
  return `CAST(${kind === 'timestamp' ? `epoch_ms(${expression})` : expression} AS VARCHAR)`
}

/** A value as in NDJSON. Integers beyond the safe range stay text, and long texts are cut. */
function toValue(text: string | null, { kind }: Pick<ReadableColumn, 'kind'>): string | number | boolean | null {
  if (text === null) return null
  switch (kind) {
    case 'boolean':
    case 'integer':
    case 'timestamp':
      return typeOf({ kind }).showCanonical(text)
    case 'float':
      // Files of other programs may hold NaN and infinities, which JSON can't represent.
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'text':
      return cutText(text)
    default:
      return text
  }
}

/** Cuts to whole characters at the same length as the profile of a run. */
function cutText(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= longestBound) return text
  let end = longestBound
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

function toFrequent(frequent: CountedRow[5], column: ReadableColumn): NonNullable<ColumnProfile['frequent']> {
  return (frequent ?? []).flatMap(({ value, count }) => {
    const shown = toValue(value, column)
    return shown === null ? [] : [{ value: shown, count: Number(count) }]
  })
}
