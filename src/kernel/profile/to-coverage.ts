import { typeOf } from '../../types/column-types.ts'
import type { ColumnCounts } from './column-counts.ts'
import type { CoverageProfile, ListLengths } from './run-profile.ts'

/** The rows of a table, and the counts of the column that they are grouped by. */
interface Grouped {
  readonly rows: number
  readonly by: ColumnCounts
}

/**
 * Of the largest groups how many rows have each part, from those that lack it; nothing if there are more groups than are
 * counted.
 */
export function toCoverage(
  by: string,
  parts: readonly { readonly label: string; readonly from: string }[],
  all: Grouped,
  lacking: readonly Grouped[],
): CoverageProfile[] {
  if (all.by.values === null || all.rows === 0) return []
  const show = typeOf({ kind: 'text' }).showCanonical
  const compare = typeOf({ kind: 'text' }).compare
  const missing = all.rows - all.by.filled
  const named = [...all.by.values].toSorted(([one], [other]) => compare(one, other))
  const groups = [
    ...named.map(([value, rows]) => {
      return {
        value: String(show(value)),
        rows,
        filled: lacking.map((each) => rows - (each.by.values?.get(value) ?? 0)),
      }
    }),
    ...(missing > 0
      ? [{ value: null, rows: missing, filled: lacking.map((each) => missing - (each.rows - each.by.filled)) }]
      : []),
  ].toSorted((one, other) => other.rows - one.rows)
  const [largest, others] = [groups.slice(0, mostGroups), groups.slice(mostGroups)]
  const columns = parts.map(({ label, from }) => ({ label, from }))
  const joined = {
    groups: others.length,
    rows: sum(others.map(({ rows }) => rows)),
    filled: parts.map((_, at) => sum(others.map(({ filled }) => filled[at] ?? 0))),
  }
  return [{ by, columns, groups: largest, ...(others.length > 0 && { others: joined }) }]
}

/** How many rows have a list of each length; nothing if there are more lengths than are counted. */
export function toListLengths(table: string, path: string, { values }: ColumnCounts): ListLengths[] {
  if (values === null || values.size === 0) return []
  const lengths = [...values].map(([text, rows]) => [Math.min(Number(text), longestList), rows] as const)
  const most = Math.max(...lengths.map(([length]) => length))
  const counts = Array.from({ length: most + 1 }, (_, at) =>
    sum(lengths.flatMap(([length, rows]) => (length === at ? [rows] : []))),
  )
  return [{ table, path, counts }]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

const mostGroups = 8
/** Longer lists count as this long. */
const longestList = 10
