import { typeOf } from '../../types/column-types.ts'
import type { Cell, Column, Row } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { ColumnCounts, RowCounts } from './column-counts.ts'
import { GroupCounter, toByteString, ValueCounter } from './value-counter.ts'

/** Counts the rows of the reference path; the oracle for the counts over cells. */
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

  collect(): RowCounts {
    return this.#tables.map(({ counters }) => counters.map((counter) => counter.collect()))
  }
}

class ColumnCounter {
  readonly #column: Column
  readonly #values: ValueCounter | GroupCounter

  constructor(column: Column) {
    this.#column = column
    this.#values = column.groupsRows === true ? new GroupCounter() : new ValueCounter(column.type)
  }

  add(cell: Cell): void {
    if (cell === null) return
    this.#values.filled++
    if (typeOf(this.#column.type).isOpaque) return
    if (!this.#column.list) return this.#values.add(toByteString(cell as Scalar))
    for (const element of cell as readonly Scalar[]) if (element !== null) this.#values.add(toByteString(element))
  }

  collect(): ColumnCounts {
    return this.#values.collect()
  }
}
