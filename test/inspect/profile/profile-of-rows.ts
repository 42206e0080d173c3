import type { ColumnProfile, TableProfile } from '../../../src/kernel/profile/run-profile.ts'
import { expectHistogram, spreadOfValues } from './spread-of-values.ts'

type Value = string | number | boolean

/** The profile of a table, computed in another way: from the objects of its NDJSON, without DuckDB. */
export function profileOfRows(
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly { readonly name: string; readonly type: string; readonly unit?: string | undefined }[],
): TableProfile {
  return { name, rows: rows.length, columns: columns.map((column) => profileOfColumn(column, rows)) }
}

/** The columns of both profiles without their histograms, whose counts are compared with the values between their bounds. */
export function checkHistograms(
  columns: readonly ColumnProfile[],
  rows: readonly Readonly<Record<string, unknown>>[],
): ColumnProfile[] {
  return columns.map(({ histogram, ...column }) => {
    const values = rows.flatMap((row) => row[column.name] as Value | null).filter((value) => value !== null)
    expectHistogram({ ...column, histogram }, values)
    return column
  })
}

function profileOfColumn(
  { name, type, unit }: { readonly name: string; readonly type: string; readonly unit?: string | undefined },
  rows: readonly Readonly<Record<string, unknown>>[],
): ColumnProfile {
  const cells = rows.map((row) => row[name]).filter((cell) => cell !== null)
  const isJson = type === 'json'
  const values = (isJson ? cells.map((cell) => JSON.stringify(cell)) : cells.flat()).filter((value) => value !== null)
  const counts = new Map<Value, number>()
  for (const value of values as Value[]) counts.set(value, (counts.get(value) ?? 0) + 1)
  const compare = (a: Value, b: Value) => compareValues(a, b, type)
  const sorted = [...counts.keys()].toSorted(compare)
  const frequent = [...counts]
    .toSorted(([a, manyA], [b, manyB]) => manyB - manyA || compare(a, b))
    .slice(0, 10)
    .map(([value, count]) => ({ value: cut(value), count }))
  const longest = Math.max(...sorted.map((value) => Array.from(String(value)).length))
  return {
    name,
    type,
    ...(unit !== undefined && { unit: unit as NonNullable<ColumnProfile['unit']> }),
    filled: cells.length,
    ...(!isJson && { min: cut(sorted[0] ?? null), max: cut(sorted.at(-1) ?? null) }),
    ...(type.startsWith('text') && sorted.length > 0 && { longest }),
    distinct: counts.size,
    ...(!isJson && { frequent }),
    ...spreadOfValues((values as Value[]).toSorted(compare), type),
  }
}

/** As many whole characters as 256 bytes have room for. */
function cut<Cut extends Value | null>(value: Cut): Cut {
  if (typeof value !== 'string') return value
  const characters = Array.from(value)
  while (Buffer.byteLength(characters.join('')) > 256) characters.pop()
  return characters.join('') as Cut
}

/** Text by its bytes in UTF-8, decimals, which are text in NDJSON, and whole numbers beyond 2^53 by their amount. */
function compareValues(a: Value, b: Value, type: string): number {
  if (type.startsWith('decimal')) return Number(a) - Number(b)
  if (type.startsWith('integer')) return compareBigInts(BigInt(a), BigInt(b))
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return Number(a) - Number(b)
}

function compareBigInts(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
