import { formatColumnType, type Cell, type Column, type Scalar } from '../records/flatten/column.ts'
import { compileConversion } from '../records/flatten/convert.ts'
import { formatJson } from '../records/json/json-text.ts'
import { showValue } from '../messages/show-value.ts'
import { JsonCell } from './json-cell.ts'

/** The cell of a value of a row in a column of a known type; undefined where the value can't become it without loss. */
export type ToCell = (value: unknown) => Cell | undefined

/**
 * Takes what rows hold (see `TableRow`) and whatever becomes the type exactly, as `as:` in a config does: `"12.5"` and
 * 12.5 in a decimal column, ISO 8601 text in a timestamp column. Null and undefined are null.
 */
export function compileToCell(column: Column): ToCell {
  const toScalar = compileToScalar(column)
  if (!column.list) return toScalar
  return (value) => {
    if (value === null || value === undefined) return null
    if (!Array.isArray(value)) return undefined
    const cells = value.map(toScalar)
    return cells.includes(undefined) ? undefined : (cells as Scalar[])
  }
}

/** What to say of a value that can't become the column's type. */
export function describeUnfit(column: Column, value: unknown): string {
  return `expected a value that becomes ${formatColumnType(column)} without loss, got ${showValue(value)}`
}

function compileToScalar({ type }: Column): (value: unknown) => Scalar | undefined {
  const { kind } = type
  const convert = compileConversion('text', type)
  switch (kind) {
    case 'timestamp':
    case 'date':
      // A number would not say whether it counts seconds or milliseconds.
      return (value) =>
        value instanceof Date ? fromDate(value, kind) : typeof value === 'number' ? undefined : convert(value)
    case 'json':
      return (value) => (value instanceof JsonCell ? value.text : (value ?? null) === null ? null : formatJson(value))
    case 'text':
      return (value) => convert(value instanceof JsonCell ? value.text : value)
    case 'integer':
    case 'float':
    case 'boolean':
    case 'decimal':
      return convert
  }
}

/** Undefined for an invalid Date, and for years that not every reader of the outputs knows. */
function fromDate(date: Date, kind: 'timestamp' | 'date'): number | undefined {
  const milliseconds = date.getTime()
  if (!(milliseconds >= firstMillisecond && milliseconds <= lastMillisecond)) return undefined
  return kind === 'date' ? Math.floor(milliseconds / 86_400_000) : milliseconds
}

const firstMillisecond = Date.parse('0001-01-01T00:00:00Z')
const lastMillisecond = Date.parse('9999-12-31T23:59:59.999Z')
