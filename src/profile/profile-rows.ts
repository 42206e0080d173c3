import type { Cell, Column, Row, Scalar } from '../records/flatten/column.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import type { ColumnCounts, RowCounts } from './column-counts.ts'
import { longestBound, longestValue, mostDistinct } from './state-layout.ts'
import { compileOrder } from './value-order.ts'

/** Counts the rows that the reference path gives: the oracle of the counts over cells. */
export class RowProfiler {
  readonly #tables: readonly { readonly table: number; readonly counters: readonly ColumnCounter[] }[]

  constructor(tables: readonly TablePlan[], positions: readonly number[]) {
    this.#tables = positions.map((table) => ({
      table,
      counters: (tables[table]?.columns ?? []).map((column) => new ColumnCounter(column)),
    }))
  }

  add(rows: readonly (readonly Row[])[]): void {
    for (const { table, counters } of this.#tables) {
      const tableRows = rows[table] ?? []
      for (const [index, counter] of counters.entries()) {
        for (const row of tableRows) counter.add(row[index] ?? null)
      }
    }
  }

  /** The counts of all rows so far. */
  collect(): RowCounts {
    return this.#tables.map(({ counters }) => counters.map((counter) => counter.collect()))
  }
}

class ColumnCounter {
  readonly #column: Column
  readonly #compare: (one: string, other: string) => number
  #filled = 0
  #min: string | null = null
  #max: string | null = null
  #longest = 0
  #values: Map<string, number> | null = new Map()

  constructor(column: Column) {
    this.#column = column
    this.#compare = compileOrder(column.type)
    if (column.type.kind === 'json') this.#values = null
  }

  add(cell: Cell): void {
    if (cell === null) return
    this.#filled++
    if (this.#column.type.kind === 'json') return
    if (!this.#column.list) return this.#addValue(cell as Scalar)
    for (const element of cell as readonly Scalar[]) if (element !== null) this.#addValue(element)
  }

  collect(): ColumnCounts {
    return { filled: this.#filled, min: this.#min, max: this.#max, longest: this.#longest, values: this.#values }
  }

  #addValue(value: Scalar): void {
    const text = Buffer.from(String(value)).toString('latin1')
    if (this.#isCounted(text)) return
    if (this.#column.type.kind === 'text') this.#longest = Math.max(this.#longest, countCharacters(text))
    const bound = text.slice(0, longestBound)
    if (this.#min === null || this.#compare(bound, this.#min) < 0) this.#min = bound
    if (this.#max === null || this.#compare(bound, this.#max) > 0) this.#max = bound
  }

  /** True for a value that came before; the column gives up at one that is too much. */
  #isCounted(text: string): boolean {
    if (this.#values === null) return false
    const times = this.#values.get(text)
    if (times === undefined && (text.length > longestValue || this.#values.size === mostDistinct)) this.#values = null
    else this.#values.set(text, (times ?? 0) + 1)
    return times !== undefined
  }
}

/** The bytes that begin a character: all but those of the form 10xxxxxx. */
function countCharacters(text: string): number {
  let characters = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xc0) !== 0x80) characters++
  return characters
}
