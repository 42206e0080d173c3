import type { Cell, Column, Row } from '../records/flatten/column.ts'
import type { Scalar } from '../types/column-type-definition.ts'
import { typeOf } from '../types/column-types.ts'

/**
 * Encodes rows as lines of JSON objects with every column in order, null included. Integers keep all their digits,
 * decimals are strings because readers would round numbers, times are ISO 8601 strings, json cells are embedded
 * unchanged.
 */
export function createNdjsonEncoder(columns: readonly Column[]): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const keys = columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`)
  const formats = columns.map(compileCell)
  const encoder = new TextEncoder()
  return (rows) => {
    let lines = ''
    for (const row of rows) {
      lines += '{'
      for (let index = 0; index < formats.length; index++) {
        const format = formats[index] as FormatCell
        lines += keys[index] + format(row[index] as Cell)
      }
      lines += '}\n'
    }
    return encoder.encode(lines)
  }
}

type FormatCell = (cell: Cell) => string

function compileCell(column: Column): FormatCell {
  const { formatJson } = typeOf(column.type)
  const formatElement = (element: Scalar) => (element === null ? 'null' : formatJson(element))
  if (!column.list) return formatElement as FormatCell
  return (cell) => (cell === null ? 'null' : `[${(cell as readonly Scalar[]).map(formatElement).join(',')}]`)
}
