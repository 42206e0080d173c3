import { showValue } from '../messages/show-value.ts'
import type { Cell, ColumnType, Scalar } from '../records/flatten/column.ts'
import { formatJson } from '../records/json/json-text.ts'
import { JsonCell } from './json-cell.ts'

/** What a value is as a cell, judged by the value alone. */
export interface InferredCell {
  readonly cell: Cell
  /** Null for what fits every type: null, and a list of nothing. */
  readonly kind: SimpleKind | null
  readonly list: boolean
}

/** The types that a value can show by itself. */
export type SimpleKind = Exclude<ColumnType['kind'], 'date' | 'decimal'>

/**
 * The cell of any value of a row that somebody made: text, numbers, booleans, Dates, lists of these, JsonCells, and plain
 * objects and lists of them as JSON. Null and undefined are null. Undefined for what no output can hold: functions,
 * invalid Dates, objects that JSON would write as nothing.
 */
export function inferCell(value: unknown): InferredCell | undefined {
  if (Array.isArray(value)) return inferList(value)
  if (value === null || value === undefined) return { cell: null, kind: null, list: false }
  const kind = kindOf(value)
  return kind === undefined ? undefined : { cell: toScalar(value, kind), kind, list: false }
}

/** What to say of a value that `inferCell` does not know. */
export function describeUnknown(value: unknown): string {
  return `expected text, a number, true or false, a Date, a list of these, or a plain object, got ${showUnknown(value)}`
}

function showUnknown(value: unknown): string {
  if (value instanceof Date) return 'an invalid Date'
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  return Array.isArray(value) ? showValue(value) : `a ${value.constructor.name}`
}

function kindOf(value: unknown): SimpleKind | undefined {
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'bigint':
      return 'integer'
    case 'number':
      // What has no exact meaning is a float, which each format treats in its own way.
      return Number.isFinite(value) ? 'integer' : 'float'
    case 'boolean':
      return 'boolean'
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : 'timestamp'
      return value instanceof JsonCell || isPlain(value) ? 'json' : undefined
    default:
      return undefined
  }
}

function inferList(values: readonly unknown[]): InferredCell | undefined {
  const kinds = new Set(values.filter(isPresent).map((value) => (Array.isArray(value) ? 'json' : kindOf(value))))
  if (kinds.has(undefined)) return undefined
  const [kind = null] = kinds
  if (kinds.size > 1 || kind === 'json') return { cell: formatJson(values), kind: 'json', list: false }
  return { cell: values.map((value) => (isPresent(value) ? toScalar(value, kind) : null)), kind, list: true }
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined
}

function toScalar(value: unknown, kind: SimpleKind | null): Scalar {
  if (value instanceof Date) return value.getTime()
  if (kind !== 'json') return value as Scalar
  return value instanceof JsonCell ? value.text : formatJson(value)
}

/** JSON.stringify makes `{}` of a Map, a Set and of most instances. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || 'toJSON' in (value as object)
}
