import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import { findIdColumn, isPosition } from '../../plan/records/table-key.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'

/** The place of the key of a rule's rows: positions of tables and columns. */
export interface KeyColumns {
  /** Has the rows of the rule's table, in their order. */
  readonly table: number
  /** The id of the record, then the positions in lists, the outermost first; none if the table does not say the id. */
  readonly columns: readonly number[]
}

export function findKeyColumns(
  { table, keyTable = table }: Pick<RulePlan, 'table' | 'keyTable'>,
  tables: readonly TablePlan[],
): KeyColumns {
  const { columns = [] } = tables[keyTable] ?? {}
  const id = findIdColumn(columns)
  const key = id === undefined ? [] : [id, ...columns.filter(isPosition)]
  return { table: keyTable, columns: key.map((column) => columns.indexOf(column)) }
}

/** Adds, after the others, a table with the ids of the rows for each table of a rule that has none. */
export function withKeyTables(
  rules: readonly RulePlan[],
  tables: readonly TablePlan[],
): { readonly rules: readonly RulePlan[]; readonly tables: readonly TablePlan[] } {
  const lacking = rules.flatMap(({ table, column }) =>
    column !== null && tables[table]?.each.length === 0 && findIdColumn(tables[table].columns) === undefined
      ? [table]
      : [],
  )
  const keyless = [...new Set(lacking)]
  return {
    rules: rules.map((rule) => {
      const at = keyless.indexOf(rule.table)
      return at < 0 ? rule : { ...rule, keyTable: tables.length + at }
    }),
    tables: [...tables, ...keyless.map(() => idTable)],
  }
}

const idTable: TablePlan = {
  name: 'ids',
  each: [],
  columns: [{ name: 'id', type: { kind: 'text' }, list: false, from: 'id', source: { kind: 'key' } }],
  where: [],
  isCountedOnly: true,
}
