import { aText, either, listOf, toKind } from '../check-options.ts'
import type { Column } from '../records/flatten/column.ts'
import { isObject } from '../records/json/json-values.ts'
import { plainKinds } from '../types/column-types.ts'

/** A column of rows from user code: with its type, or by name alone, and then each value shows its own type. */
export type ColumnChoice = Column | string

export const typedColumn = toKind('a column with its type, as columnsOf gives it', isColumn)
export const columnChoices = listOf(either(toKind('a name', aText.fits), typedColumn))

function isColumn(value: unknown): boolean {
  if (!isObject(value) || typeof value['name'] !== 'string' || !isObject(value['type'])) return false
  const { kind, precision, scale } = value['type']
  if (kind === 'decimal') return Number.isSafeInteger(precision) && Number.isSafeInteger(scale)
  return plainKinds.some((plain) => plain === kind)
}
