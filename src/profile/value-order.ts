import type { ColumnType } from '../records/flatten/column.ts'

/** Negative if the first value comes first. */
export type CompareValues = (one: string, other: string) => number

/** Numbers and times by size, texts by the bytes of their UTF-8, false before true. */
export function compileOrder({ kind }: ColumnType): CompareValues {
  switch (kind) {
    case 'text':
    case 'json':
    case 'boolean':
      return compareBytes
    case 'float':
      return (one, other) => Number(one) - Number(other)
    case 'integer':
    case 'timestamp':
    case 'date':
    case 'decimal':
      return compareDigits
  }
}

function compareBytes(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Compares whole numbers of any length, without leading zeros. */
function compareDigits(one: string, other: string): number {
  const isNegative = one.startsWith('-')
  if (isNegative !== other.startsWith('-')) return isNegative ? -1 : 1
  const order = one.length === other.length ? compareBytes(one, other) : one.length - other.length
  return isNegative ? -order : order
}
