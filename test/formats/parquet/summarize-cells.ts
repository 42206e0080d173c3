import type { Cell, Column } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'

/** The statistics of some cells, found by looking at each. */
export interface CellSummary {
  /** Nulls, and lists that have no elements, are one each. */
  readonly slots: number
  readonly nulls: number
  /** Null if there is no value. */
  readonly bounds: { readonly min: Comparable; readonly max: Comparable } | null
}

/** Whole numbers as bigints; text as its bytes in hexadecimal, which has the same order. */
export type Comparable = bigint | number | boolean | string

export function summarizeCells({ type, list }: Column, cells: readonly Cell[]): CellSummary {
  const slots = cells.flatMap((cell): readonly Scalar[] => {
    if (!list) return [cell as Scalar]
    const elements = (cell ?? []) as readonly Scalar[]
    return elements.length === 0 ? [null] : elements
  })
  const values = slots.filter((value) => value !== null).map((value) => toComparable(type, value))
  let [min, max] = [values[0], values[0]]
  for (const value of values) {
    if (value < (min as Comparable)) min = value
    if (value > (max as Comparable)) max = value
  }
  const bounds = min === undefined || max === undefined ? null : { min, max }
  return { slots: slots.length, nulls: slots.length - values.length, bounds }
}

function toComparable({ kind }: ColumnType, value: NonNullable<Scalar>): Comparable {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  return kind === 'float' || typeof value === 'boolean' ? value : BigInt(value)
}
