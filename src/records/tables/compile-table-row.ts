import { typeOf } from '../../types/column-types.ts'
import type { RowScalar, Scalar } from '../../types/column-type-definition.ts'
import type { Cell, Column, Row } from '../flatten/column.ts'
import type { TableRow } from './row-of.ts'
import type { RowValue } from './table-shape.ts'

/** Objects of rows, with the names of their columns. */
export function compileTableRow(columns: readonly Column[]): (row: Row) => TableRow {
  const names = columns.map(({ name }) => name)
  const conversions = columns.map(compileValue)
  // A copy of an object of JSON.parse keeps its members fast, however many; members added by name do not stay so.
  const empty = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as TableRow
  return (row) => {
    const object = { ...empty }
    for (let at = 0; at < names.length; at++) {
      object[names[at] as string] = (conversions[at] as (cell: Cell) => RowValue)(row[at] as Cell)
    }
    return object
  }
}

function compileValue({ type, list }: Column): (cell: Cell) => RowValue {
  const { toRow } = typeOf(type)
  if (toRow === undefined) return (cell) => cell as RowValue
  const toScalar = (scalar: Scalar): RowScalar => (scalar === null ? null : toRow(scalar))
  if (!list) return (cell) => toScalar(cell as Scalar)
  return (cell) => (cell === null ? null : (cell as readonly Scalar[]).map(toScalar))
}
