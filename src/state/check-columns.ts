import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { formatColumnType } from '../records/column.ts'
import type { PublishedState } from './published-state.ts'
import { invalid } from './read-manifest.ts'

/**
 * Throws STATE_INVALID where a column has another type than in the tables that the next run begins with: what earlier
 * runs published could not stand beside it. Columns that came or went are no trouble.
 */
export function checkColumns(
  path: string,
  { tables }: PublishedState,
  { records }: Pick<PipelinePlan, 'records'>,
): void {
  for (const { table, columns } of tables) {
    const now = new Map(
      records.tables
        .find(({ name }) => name === table)
        ?.columns.map((column) => [column.name, formatColumnType(column)]),
    )
    const retyped = columns.find(({ name, type }) => now.has(name) && now.get(name) !== type)
    if (retyped === undefined) continue
    const { name, type } = retyped
    const message = `expected column "${name}" of table "${table}" to stay ${type}, as it was published, got ${now.get(name)}: give the new one another name, or begin anew`
    throw invalid(path, message)
  }
}
