import type { RulePlan } from '../plan/pipeline-plan.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import { toByteString } from '../profile/value-counter.ts'
import type { Cell, Row, Scalar } from '../records/flatten/column.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { type IdEntries, IdWriter } from '../records/id-entries.ts'
import { collectBroken, type ColumnRule, openColumnRules } from './column-rules.ts'
import { listUnique } from './list-unique.ts'

/** Checks the rows that the reference path gives: the oracle of the checks of cells. */
export class RowRules {
  readonly #rules: readonly (ColumnRule | null)[]
  readonly #unique: ReturnType<typeof listUnique>

  constructor(rules: readonly RulePlan[], tables: readonly TablePlan[]) {
    this.#rules = openColumnRules(rules, tables)
    this.#unique = listUnique(rules)
  }

  /** Checks rows, and returns the values of each column that is to be unique. */
  add(rows: readonly (readonly Row[])[]): IdEntries[] {
    for (const rule of this.#rules) {
      if (rule === null) continue
      for (const row of rows[rule.table] ?? []) addCell(rule, row[rule.column] ?? null)
    }
    return this.#unique.map(({ table, column }) => {
      const writer = new IdWriter()
      for (const [at, row] of (rows[table] ?? []).entries()) {
        const cell = row[column] as Scalar
        if (cell !== null) writer.add(String(cell).toWellFormed(), at)
      }
      return writer.finish()
    })
  }

  /** By rule: what breaks it so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }
}

function addCell(rule: ColumnRule, cell: Cell): void {
  if (!rule.isOnValues) {
    if (cell === null) rule.addRowWithout()
    return
  }
  const values = Array.isArray(cell) ? (cell as readonly Scalar[]) : [cell as Scalar]
  for (const value of values) if (value !== null) rule.addValue(toByteString(value))
}
