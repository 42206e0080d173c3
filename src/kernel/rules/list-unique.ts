import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import type { IdEntries } from '../../records/id-entries.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { RowKey } from './broken-rows.ts'
import { findKeyColumns, type KeyColumns } from './key-columns.ts'

export interface UniqueColumn {
  /** Position in the rules of the plan. */
  readonly rule: number
  readonly table: number
  readonly column: number
  /** True if its values are the ids of the records. */
  readonly isId: boolean
  /** The columns that identify the row of a value, together with it. */
  readonly key: KeyColumns
}

/** The values of a column that is to be unique, and of its key, in a block; for the line they have their row. */
export interface UniqueValues extends Pick<UniqueColumn, 'isId'> {
  readonly values: IdEntries
  readonly key: readonly IdEntries[]
}

/** The columns that are to be unique, in the order of their rules. */
export function listUnique(rules: readonly RulePlan[], tables: readonly TablePlan[]): UniqueColumn[] {
  return rules.flatMap((plan, rule) => {
    const { table, column, test } = plan
    if (test.kind !== 'unique' || column === null) return []
    const key = findKeyColumns(plan, tables)
    const isId = key.table === table && key.columns[0] === column
    return [{ rule, table, column, isId, key: isId ? { ...key, columns: key.columns.slice(1) } : key }]
  })
}

/** Reads the values of a column, each with its row. */
export type ListValues = (table: number, column: number) => IdEntries

export function listUniqueValues({ table, column, isId, key }: UniqueColumn, list: ListValues): UniqueValues {
  return { isId, values: list(table, column), key: key.columns.map((each) => list(key.table, each)) }
}

/** The key of a row, from the texts of its value and of the columns that say the rest. */
export function toRowKey(isId: boolean, value: string, texts: readonly (string | null)[]): RowKey {
  const [id = null, ...positions] = isId ? [value, ...texts] : texts
  return { id, positions: positions.map(Number) }
}
