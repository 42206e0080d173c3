import { CatalogueError } from '../errors.ts'
import { listChoices } from '../messages/choices.ts'
import { showValue } from '../messages/show-value.ts'
import type { Cell, Column, Row } from '../records/flatten/column.ts'
import { describeUnknown, inferCell, type SimpleKind } from './infer-cell.ts'
import { compileToCell, describeUnfit, type ToCell } from './to-cell.ts'

/** A column of rows that somebody made: with its type, or by its name alone, and then each value shows its own type. */
export type ColumnChoice = Column | string

/**
 * Turns row objects into rows of cells. A column that was given by name has the type of its last value. Whatever does
 * not fit throws OUTPUT_FAILED with the number of the row.
 */
export class RowCells {
  readonly #format: string
  #columns: readonly Column[] | null = null
  #names: ReadonlySet<string> = new Set()
  /** By column; null where the type follows the values. */
  #toCells: readonly (ToCell | null)[] = []
  #rows = 0

  /** Without `columns` the keys of the first row name them. `format` is for messages. */
  constructor(format: string, columns?: readonly ColumnChoice[]) {
    this.#format = format
    if (columns !== undefined) this.#choose(columns)
  }

  /** As far as the types are known by now; null before the first row where nothing names them. */
  get columns(): readonly Column[] | null {
    return this.#columns
  }

  /** The cells of the next row. Afterwards `columns` is another list if a column changed its type for it. */
  next(row: unknown): Row {
    this.#rows++
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw this.#failure(`expected an object with a property a column, got ${showValue(row)}`)
    const keys = Object.keys(row)
    const columns = this.#columns ?? this.#choose(keys)
    this.#checkKeys(keys, columns)
    return columns.map((column, at) => this.#toCell(column, at, (row as Record<string, unknown>)[column.name]))
  }

  #choose(choices: readonly ColumnChoice[]): readonly Column[] {
    const columns = choices.map((choice) => (typeof choice === 'string' ? toColumn(choice, 'text', false) : choice))
    this.#names = new Set(columns.map(({ name }) => name))
    if (this.#names.size < columns.length) throw new TypeError(`${this.#format}: expected columns of different names`)
    this.#toCells = choices.map((choice) => (typeof choice === 'string' ? null : compileToCell(choice)))
    this.#columns = columns
    return columns
  }

  /** A key that is missing is null; one that is no column would be lost. */
  #checkKeys(keys: readonly string[], columns: readonly Column[]): void {
    if (keys.length <= columns.length && keys.every((key, at) => key === columns[at]?.name)) return
    const others = keys.filter((key) => !this.#names.has(key))
    if (others.length === 0) return
    const names = listChoices([...this.#names])
    throw this.#failure(`expected no keys but the columns ${names}, got also ${listChoices(others)}`)
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

  #failure(message: string): CatalogueError {
    return new CatalogueError('OUTPUT_FAILED', `${this.#format}, row ${this.#rows}: ${message}`)
  }
}

function isText(value: unknown, { type, list }: Column): value is string {
  return typeof value === 'string' && type.kind === 'text' && !list
}

function toColumn(name: string, kind: SimpleKind, list: boolean): Column {
  return { name, type: { kind }, list }
}
