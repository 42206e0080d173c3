import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import type { Cell, Row } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { IdWriter } from '../../records/id-entries.ts'
import { type CheckedRows, collectBroken, type ColumnRule, listBroken, openColumnRules } from './column-rules.ts'
import { listUnique, listUniqueValues, type ListValues } from './list-unique.ts'

/** Checks the rows that the reference path gives: the oracle of the checks of cells. */
export class RowRules {
  readonly #rules: readonly (ColumnRule | null)[]
  readonly #unique: ReturnType<typeof listUnique>

  constructor(rules: readonly RulePlan[], tables: readonly TablePlan[]) {
    this.#rules = openColumnRules(rules, tables)
    this.#unique = listUnique(rules, tables)
  }

  add(rows: readonly (readonly Row[])[]): CheckedRows {
    for (const rule of this.#rules) {
      if (rule === null) continue
      for (const [at, row] of (rows[rule.table] ?? []).entries()) addCell(rule, row[rule.column] ?? null, at)
    }
    const readCell = (table: number, column: number, row: number) => (rows[table]?.[row]?.[column] ?? null) as Scalar
    const list: ListValues = (table, column) => {
      const writer = new IdWriter()
      for (const at of (rows[table] ?? []).keys()) {
        const cell = readCell(table, column, at)
        if (cell !== null) writer.add(toText(cell), at)
      }
      return writer.finish()
    }
    return {
      unique: this.#unique.map((each) => listUniqueValues(each, list)),
      broken: listBroken(this.#rules, (...place) => {
        const cell = readCell(...place)
        return cell === null ? null : toText(cell)
      }),
    }
  }

  /** What breaks each rule so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }
}

function toText(cell: NonNullable<Scalar>): string {
  return String(cell).toWellFormed()
}

function addCell(rule: ColumnRule, cell: Cell, row: number): void {
  if (!rule.isOnValues) {
    if (cell === null) rule.addRowWithout(row)
    return
  }
  const values = Array.isArray(cell) ? (cell as readonly Scalar[]) : [cell as Scalar]
  for (const value of values) {
    if (value !== null) rule.addValue(typeof value === 'string' ? value.toWellFormed() : value, row)
  }
}
