import type { Cell, Column, ColumnType, Row, Scalar } from '../records/flatten/column.ts'
import { compileFormat } from '../formats/format-cell.ts'
import { formatJson, mayLoseDigits, parseExactly } from '../records/json/json-text.ts'

/**
 * A value of a row by the type of its column: text, date (`2026-01-31`) and decimal (`12.50`, exact) as string, integer
 * as number or (beyond 2^53) bigint, float as number, boolean, timestamp as Date, json as JsonCell.
 */
export type RowScalar = string | number | bigint | boolean | Date | JsonCell | null

export type RowValue = RowScalar | RowScalar[]

/** A value of a `json` column in a row: text in CSV and Parquet, embedded in NDJSON. */
export class JsonCell {
  /** JSON text, unchanged. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Makes the cell of a value; bigints keep every digit. */
  static of(value: unknown): JsonCell {
    return new JsonCell(formatJson(value))
  }

  /** The parsed text, a new value each time; whole numbers beyond 2^53 are bigints. */
  get value(): unknown {
    return mayLoseDigits(this.text) ? parseExactly(this.text) : JSON.parse(this.text)
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** One row of a table: an object with a property for each column, in order. */
export type TableRow = Record<string, RowValue>

export function compileTableRow(columns: readonly Column[]): (row: Row) => TableRow {
  const names = columns.map(({ name }) => name)
  const conversions = columns.map(compileValue)
  return (row) => {
    const object: TableRow = {}
    for (let at = 0; at < names.length; at++) {
      object[names[at] as string] = (conversions[at] as (cell: Cell) => RowValue)(row[at] as Cell)
    }
    return object
  }
}

function compileValue({ type, list }: Column): (cell: Cell) => RowValue {
  const convert = compileScalar(type)
  if (convert === null) return (cell) => cell as RowValue
  const toScalar = (scalar: Scalar): RowScalar => (scalar === null ? null : convert(scalar))
  if (!list) return (cell) => toScalar(cell as Scalar)
  return (cell) => (cell === null ? null : (cell as readonly Scalar[]).map(toScalar))
}

/** Null if the cell is the value. */
function compileScalar(type: ColumnType): ((scalar: Exclude<Scalar, null>) => RowScalar) | null {
  switch (type.kind) {
    case 'text':
    case 'integer':
    case 'float':
    case 'boolean':
      return null
    case 'timestamp':
      return (milliseconds) => new Date(milliseconds as number)
    case 'date':
    case 'decimal':
      return compileFormat(type)
    case 'json':
      return (text) => new JsonCell(text as string)
  }
}
