import * as fc from 'fast-check'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { column, everyColumn } from '../../formats/every-type.ts'
import { hostileText, rows as arbitraryRows } from '../../formats/arbitrary-cells.ts'

/** Columns of every type, as scalar and as list. Names of timestamps of whole seconds begin with `seconds`. */
export const cellColumns: readonly Column[] = [
  ...everyColumn,
  column('seconds', 'timestamp'),
  column('seconds_list', 'timestamp', true),
]

export function isSeconds({ name }: Column): boolean {
  return name.startsWith('seconds')
}

/** Well-formed text of every length around the sixteen bytes that are read at once. */
const wellFormed = fc.oneof(
  hostileText(['\0', '\u0001', '\b', '\f', '\u001F', '\u007F', '\uFEFF']),
  fc
    .tuple(hostileText(['\0']), fc.integer({ min: 0, max: 70 }), hostileText(['\0']))
    .map(([first, length, last]) => first + 'é'.repeat(length) + last),
)

export const cellRows: fc.Arbitrary<Row[]> = arbitraryRows(cellColumns, wellFormed).map((rows) =>
  rows.map((row) => row.map((cell, index) => (isSeconds(cellColumns[index] as Column) ? toSeconds(cell) : cell))),
)

function toSeconds(cell: Row[number]): Row[number] {
  return Array.isArray(cell) ? cell.map((element: Scalar) => toSecond(element)) : toSecond(cell as Scalar)
}

function toSecond(value: Scalar): Scalar {
  return value === null ? null : Math.floor((value as number) / 1000) * 1000
}
