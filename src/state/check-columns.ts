import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { describeUnit, formatColumnType, type Column } from '../records/column.ts'
import type { PublishedState } from './published-state.ts'
import { invalid } from './read-manifest.ts'

/**
 * Throws STATE_INVALID where a column has another type or unit than in the tables that the next run begins with: what earlier
 * runs published could not stand beside it. Columns that came or went are no trouble.
 */
export function checkColumns(
  path: string,
  { tables }: PublishedState,
  { records }: Pick<PipelinePlan, 'records'>,
): void {
  for (const { table, columns } of tables) {
    const planned = records.tables.find(({ name }) => name === table)?.columns ?? []
    const now = new Map(planned.map((column) => [column.name, column]))
    for (const { name, ...before } of columns) {
      const column = now.get(name)
      const [was, is] = column === undefined ? [] : findDifference(before, column)
      if (was === undefined) continue
      const message = `expected column "${name}" of table "${table}" to stay ${was}, as it was published, got ${is}: give the new one another name, or begin anew`
      throw invalid(path, message)
    }
  }
}

type StateColumn = PublishedState['tables'][number]['columns'][number]

/** What the column was and what it is. What earlier versions did not write down is no difference. */
function findDifference({ type, unit }: Omit<StateColumn, 'name'>, column: Column): readonly [string, string] | [] {
  const now = formatColumnType(column)
  if (type !== now) return [type, now]
  if (unit === undefined || unit === column.unit) return []
  return [describeUnit(unit), column.unit === undefined ? 'no money' : describeUnit(column.unit)]
}
