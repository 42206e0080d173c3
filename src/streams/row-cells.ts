import { types } from 'node:util'
import { misusedBy } from '../check-options.ts'
import { isObject } from '../records/json/json-values.ts'
import { CatalogueError } from '../errors.ts'
import { listChoices } from '../text/choices.ts'
import { showValue } from '../text/show-value.ts'
import { formatColumnType, type ColumnType, compileConversion, typeOf } from '../types/column-types.ts'
import type { Cell, Column, Row } from '../records/flatten/column.ts'
import type { Convert, Scalar } from '../types/column-type-definition.ts'
import { JsonCell } from '../types/json-cell.ts'
import { formatJsonIfHeld } from '../types/json-text.ts'
import type { ColumnChoice } from './column-choice.ts'

/**
 * Turns row objects into rows of cells. A column given by name has the type of its last value. Throws OUTPUT_FAILED
 * with the number of the row for a value that does not fit.
 */
export class RowCells {
  readonly #format: string
  readonly #isGiven: boolean
  #columns: readonly Column[] | null = null
  #names: ReadonlySet<string> = new Set()
  #toCells: readonly (ToCell | null)[] = []
  #rows = 0

  /** The keys of the first row name the columns if `columns` is missing. `format` is for messages. */
  constructor(format: string, columns?: readonly ColumnChoice[]) {
    this.#format = format
    this.#isGiven = columns !== undefined
    if (columns !== undefined) this.#choose(columns)
  }

  /** The types known so far; null before the first row if no columns are given. */
  get columns(): readonly Column[] | null {
    return this.#columns
  }

  /** The cells of the next row. If a column changes its type for it, `columns` is a new list afterwards. */
  next(row: unknown): Row {
    this.#rows++
    if (!isObject(row)) throw this.#failure(`expected an object with a property a column, got ${showValue(row)}`)
    const keys = Object.keys(row)
    const columns = this.#columns ?? this.#choose(keys)
    this.#checkKeys(keys, columns)
    return columns.map((column, at) => this.#toCell(column, at, row[column.name]))
  }

  #choose(choices: readonly ColumnChoice[]): readonly Column[] {
    const columns = choices.map((choice) => (typeof choice === 'string' ? toColumn(choice, 'text', false) : choice))
    this.#names = new Set(columns.map(({ name }) => name))
    if (this.#names.size < columns.length) {
      throw misusedBy(this.#format, 'columns of different names', listChoices(columns.map(({ name }) => name)))
    }
    this.#toCells = choices.map((choice) => (typeof choice === 'string' ? null : compileToCell(choice)))
    this.#columns = columns
    return columns
  }

  #checkKeys(keys: readonly string[], columns: readonly Column[]): void {
    if (keys.length <= columns.length && keys.every((key, at) => key === columns[at]?.name)) return
    const others = keys.filter((key) => !this.#names.has(key))
    if (others.length === 0) return
    const names = listChoices([...this.#names])
    const message = `expected no keys but the columns ${names}, got also ${listChoices(others)}`
    throw this.#failure(message, this.#isGiven ? fixGiven : fixFirstRow)
  }

  #toCell(column: Column, at: number, value: unknown): Cell {
    const toCell = this.#toCells[at] ?? null
    if (toCell === null) return isText(value, column) ? value : this.#inferCell(column, at, value)
    const cell = toCell(value)
    if (cell === undefined) throw this.#failure(`column "${column.name}": ${describeUnfit(column, value)}`)
    return cell
  }

  #inferCell(column: Column, at: number, value: unknown): Cell {
    const inferred = inferCell(value)
    if (inferred === undefined) throw this.#failure(`column "${column.name}": ${describeUnknown(value)}`)
    const { cell, kind, list } = inferred
    const fits = cell === null || (list === column.list && (kind === null || kind === column.type.kind))
    if (!fits) this.#columns = (this.#columns ?? []).with(at, toColumn(column.name, kind ?? 'text', list))
    return cell
  }

  #failure(message: string, fix = fixValue): CatalogueError {
    const title = 'A row does not fit the output'
    return new CatalogueError('OUTPUT_FAILED', `${this.#format}, row ${this.#rows}: ${message}`, { title, fix })
  }
}

const fixGiven = 'Add the keys to `columns`, or leave them out of the rows.'
const fixFirstRow =
  'The first row names the columns: pass `columns` with all of them, or leave the keys out of the rows.'
const fixValue = 'Correct the rows before they come to this stage, or the types in its `columns`.'

function isText(value: unknown, { type, list }: Column): value is string {
  return typeof value === 'string' && type.kind === 'text' && !list
}

function toColumn(name: string, kind: SimpleKind, list: boolean): Column {
  return { name, type: { kind }, list }
}

/** The cell of a value in a column of a known type; undefined if the value can't become it without loss. */
type ToCell = (value: unknown) => Cell | undefined

/**
 * Takes the values of rows (see `TableRow`) and all that becomes the type exactly, as `as:` in a config does: `"12.5"`
 * and 12.5 in a decimal column, ISO 8601 text in a timestamp column. Null and undefined are null.
 */
function compileToCell(column: Column): ToCell {
  const toCell = compileToScalar(column)
  if (!column.list) return toCell
  return (value) => {
    if (value === null || value === undefined) return null
    if (!Array.isArray(value)) return undefined
    const cells = value.map(toCell)
    return cells.includes(undefined) ? undefined : (cells as Scalar[])
  }
}

function describeUnfit(column: Column, value: unknown): string {
  return `expected a value that becomes ${formatColumnType(column)} without loss, got ${showValue(value)}`
}

function compileToScalar({ type }: Column): Convert {
  const convert = compileConversion('text', type)
  const { fromRow = convert } = typeOf(type)
  return (value) => (value === null || value === undefined ? null : fromRow(value, convert))
}

interface InferredCell {
  readonly cell: Cell
  /** Null for a value that fits every type: null or an empty list. */
  readonly kind: SimpleKind | null
  readonly list: boolean
}

type SimpleKind = Exclude<ColumnType['kind'], 'date' | 'decimal'>

/**
 * The cell of any value in a row from user code: text, numbers, booleans, Dates, lists of these, JsonCells, and plain
 * objects and lists of them as JSON. Null and undefined are null. Undefined for a value that no output can hold:
 * functions, invalid Dates, objects that JSON would write as nothing.
 */
function inferCell(value: unknown): InferredCell | undefined {
  if (Array.isArray(value)) return inferList(value)
  if (value === null || value === undefined) return { cell: null, kind: null, list: false }
  const kind = kindOf(value)
  if (kind === 'json') return jsonCell(value)
  return kind === undefined ? undefined : { cell: toScalar(value), kind, list: false }
}

function jsonCell(value: unknown): InferredCell | undefined {
  const cell = value instanceof JsonCell ? value.text : formatJsonIfHeld(value)
  return cell === undefined ? undefined : { cell, kind: 'json', list: false }
}

function describeUnknown(value: unknown): string {
  return `expected text, a number, true or false, a Date, a list of these, or a plain object that JSON can hold, got ${showUnknown(value)}`
}

function showUnknown(value: unknown): string {
  if (types.isDate(value)) return 'an invalid Date'
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  return Array.isArray(value) ? showValue(value) : `a ${value.constructor?.name ?? 'object'}`
}

function kindOf(value: unknown): SimpleKind | undefined {
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'bigint':
      return 'integer'
    case 'number':
      // NaN and the infinities are floats, which each format treats in its own way.
      return Number.isFinite(value) ? 'integer' : 'float'
    case 'boolean':
      return 'boolean'
    case 'object':
      if (types.isDate(value)) return Number.isNaN(value.getTime()) ? undefined : 'timestamp'
      return value instanceof JsonCell || isPlain(value) ? 'json' : undefined
    default:
      return undefined
  }
}

function inferList(values: readonly unknown[]): InferredCell | undefined {
  const kinds = new Set(values.filter(isPresent).map((value) => (Array.isArray(value) ? 'json' : kindOf(value))))
  if (kinds.has(undefined)) return undefined
  const [kind = null] = kinds
  if (kinds.size > 1 || kind === 'json') return jsonCell(values)
  return { cell: values.map((value) => (isPresent(value) ? toScalar(value) : null)), kind, list: true }
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined
}

function toScalar(value: unknown): Scalar {
  return types.isDate(value) ? value.getTime() : (value as Scalar)
}

/** False for objects that JSON.stringify would write as `{}`, such as a Map, a Set and most instances. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || 'toJSON' in (value as object)
}
