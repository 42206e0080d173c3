import type { Column } from '../../records/flatten/column.ts'
import { typeOf } from '../../types/column-types.ts'
import type { CompareValues } from '../../types/canonical-text.ts'
import { joinSpreads, type Spread, SpreadCounter } from './spread.ts'
import { mostDistinct } from './state-layout.ts'

/**
 * The counts of a column over some of its rows, as plain data. A value is the UTF-8 of its canonical text as a byte
 * string, one character a byte. The canonical text is `true` or `false` for booleans, milliseconds since 1970 for
 * timestamps, days for dates, and the unscaled integer for decimals.
 */
export interface ColumnCounts {
  readonly filled: number
  /** The least and the greatest value, texts cut after `longestBound` bytes; null without a value, and for json. */
  readonly min: string | null
  readonly max: string | null
  /** Code points of the longest text. */
  readonly longest: number
  /**
   * The distinct values with their counts; null if there are more than `mostDistinct`, or one is too long. Of a column that
   * groups rows, `mostGroups`, and long ones are cut; it has neither bounds nor a longest text.
   */
  readonly values: ReadonlyMap<string, number> | null
  /** How the values are spread if they are numbers or times and there is no `values`, which says the same. */
  readonly spread: Spread | null
}

/** The counts of all columns, by table. */
export type RowCounts = readonly (readonly ColumnCounts[])[]

/** With more groups, none is counted: which ones were counted would depend on which rows came first. */
export const mostGroups = 10_000
/** Longer names of groups are cut, in bytes: all names take 10 MiB at the most. */
export const longestGroup = 1024

export const noCounts: ColumnCounts = { filled: 0, min: null, max: null, longest: 0, values: new Map(), spread: null }

/** Joins the counts of parts that share no row; their order makes no difference. */
export function joinCounts(
  { type, groupsRows }: Pick<Column, 'type' | 'groupsRows'>,
  parts: readonly ColumnCounts[],
): ColumnCounts {
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only
  const compare = typeOf(type).compare
  const values = joinValues(
    parts.map((part) => part.values),
    groupsRows === true ? mostGroups : mostDistinct,
  )
  return {
    filled: parts.reduce((sum, { filled }) => sum + filled, 0),
    min: parts.reduce((best: string | null, { min }) => pickFirst(best, min, compare), null),
    max: parts.reduce(
      (best: string | null, { max }) => pickFirst(best, max, (one, other) => compare(other, one)),
      null,
    ),
    longest: parts.reduce((longest, part) => Math.max(longest, part.longest), 0),
    values,
    spread: values === null && groupsRows !== true ? measureParts(type, parts) : null,
  }
}

export function countFilled(parts: readonly RowCounts[], table: number, column: number): number {
  return parts.reduce((sum, part) => sum + (part[table]?.[column]?.filled ?? 0), 0)
}

function pickFirst(one: string | null, other: string | null, compare: CompareValues): string | null {
  if (one === null || other === null) return one ?? other
  return compare(one, other) <= 0 ? one : other
}

function measureParts(type: Column['type'], parts: readonly ColumnCounts[]): Spread | null {
  const { measure } = typeOf(type)
  if (measure === null) return null
  return joinSpreads(
    parts.map(({ spread, values }) => spread ?? new SpreadCounter(measure, values ?? new Map()).collect()),
  )
}

function joinValues(parts: readonly ColumnCounts['values'][], most: number): ColumnCounts['values'] {
  const joined = new Map<string, number>()
  for (const values of parts) {
    if (values === null) return null
    for (const [value, times] of values) joined.set(value, (joined.get(value) ?? 0) + times)
  }
  return joined.size > most ? null : joined
}
