import type { TableConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { BuiltinName, TablePlan } from '../../records/flatten/table-plan.ts'
import type { PlannedColumns } from '../records/plan-column.ts'
import type { BuiltinTable, FeedColumn } from './builtin-table.ts'
import type { Contract } from '../../contracts/contracts.ts'
import { duplicatesTable } from './duplicates-table.ts'
import { isOfHistory } from './check-periods.ts'
import { codesTable } from './codes-table.ts'
import { pricePeriodsTable } from './price-periods-table.ts'

const builtinTables: Readonly<Record<BuiltinName, BuiltinTable>> = {
  codes: codesTable,
  duplicates: duplicatesTable,
  price_periods: pricePeriodsTable,
}

export interface PlannedBuiltin {
  readonly table: TablePlan
  readonly problems: readonly Problem[]
}

/** Plans a built-in table. `planColumn` plans a column of its feed. */
export function planBuiltin(
  name: string,
  builtin: BuiltinName,
  config: TableConfig,
  contract: Contract,
  planColumn: (column: FeedColumn) => PlannedColumns,
): PlannedBuiltin {
  const { columns, description, planFeed } = builtinTables[builtin]
  const path = ['tables', name, 'builtin']
  const feed = planFeed(contract)
  const planned = typeof feed === 'string' ? [] : feed.map(planColumn)
  const lacking = typeof feed === 'string' ? [problemAt(path, `builtin: ${feed}`)] : []
  const table: TablePlan = {
    name,
    // Not a table of records: its rows are elements of what is computed.
    each: [{ kind: 'all' }],
    columns: typeof feed === 'string' ? [] : columns,
    where: [],
    builtin: { name: builtin, description, feed: planned.flatMap((each) => each.columns) },
  }
  return { table, problems: [...lacking, ...checkAlone(config, path), ...planned.flatMap((each) => each.problems)] }
}

function checkAlone({ each, columns, exclude, where }: TableConfig, path: Problem['path']): Problem[] {
  const others = Object.entries({
    each: each !== undefined,
    columns: columns !== 'all',
    exclude: exclude.length > 0,
    where: Object.keys(where).length > 0,
  }).flatMap(([key, isThere]) => (isThere ? [key] : []))
  if (others.length === 0) return []
  const message = `builtin: expected alone, as a built-in table has columns of its own, got it with ${others.join(', ')}`
  return [problemAt(path, message)]
}

/** A state has the records of earlier runs one by one: what is computed over all of them is of no single record. */
export function checkWhole(tables: readonly TablePlan[], isStateful: boolean): Problem[] {
  if (!isStateful) return []
  return tables.flatMap((table) => {
    const { name, builtin } = table
    if (builtin === undefined || isOfHistory(table)) return []
    const message =
      `builtin: expected whole files only (mode: snapshot, no incremental, no database, no parts), as ${builtin.name} is computed over ` +
      'all records and a run with a state writes what changed; put this table into a pipeline of its own over the same source'
    return [problemAt(['tables', name, 'builtin'], message)]
  })
}
