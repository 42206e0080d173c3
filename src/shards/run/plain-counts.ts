import { type ColumnCounts, joinCounts, noCounts, type RowCounts } from '../../kernel/profile/column-counts.ts'
import type { Spread } from '../../kernel/profile/spread.ts'
import type { Column } from '../../records/flatten/column.ts'

/** The counts of a column as JSON, independent of the order of its values. */
export interface PlainColumnCounts extends Omit<ColumnCounts, 'values' | 'spread'> {
  readonly values: readonly (readonly [value: string, count: number])[] | null
  readonly spread: (Pick<Spread, 'first'> & { readonly sum: string; readonly counts: readonly number[] }) | null
}

export function toPlainCounts(
  tables: readonly { readonly columns: readonly Column[] }[],
  parts: readonly RowCounts[],
): PlainColumnCounts[][] {
  return tables.map(({ columns }, table) =>
    columns.map((column, index) => {
      const { values, spread, ...counts } = joinCounts(
        column,
        parts.map((part) => part[table]?.[index] ?? noCounts),
      )
      return {
        ...counts,
        values: values && [...values].toSorted(([a], [b]) => (a < b ? -1 : 1)),
        spread: spread && { ...spread, sum: String(spread.sum), counts: [...spread.counts] },
      }
    }),
  )
}

export function toRowCounts(tables: readonly (readonly PlainColumnCounts[])[]): RowCounts {
  return tables.map((columns) =>
    columns.map(({ values, spread, ...counts }) => ({
      ...counts,
      values: values && new Map(values),
      spread: spread && { ...spread, sum: BigInt(spread.sum), counts: Uint32Array.from(spread.counts) },
    })),
  )
}
