import { checkTable, type Preview, type PreviewTable, toPreviewTable } from '../../engine/run/preview-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Row } from '../../records/flatten/column.ts'
import { readAsOf } from './as-of.ts'
import { openAsOf } from './open-as-of.ts'
import { readRows } from './read-as-of.ts'
import { type HistoryContext, withHistory } from './with-history.ts'

export interface PreviewAsOfOptions extends HistoryContext {
  readonly rows: number
  readonly table?: string | undefined
}

/** The first rows of each table as they were at a moment. Throws as `openAsOf`. */
export async function previewAsOf(
  plan: PipelinePlan,
  date: string,
  options: PreviewAsOfOptions,
): Promise<Pick<Preview, 'tables'> & { readonly notes: readonly string[] }> {
  const { rows: most, table } = options
  const asOf = readAsOf(date, plan.records.timezone)
  checkTable(plan.name, plan.records, table)
  return withHistory(plan, options, async (access) => {
    const { tables, notes } = await openAsOf(plan, asOf, access, table)
    const shown: PreviewTable[] = []
    for (const each of tables) {
      const rows: Row[] = []
      const keyed = plan.outputs.stateful!.tables[each.at]!
      for await (const batch of readRows(access.duckdb, each, keyed, most)) rows.push(...batch.rows)
      shown.push(toPreviewTable({ name: each.name, columns: each.stored }, rows))
    }
    return { tables: shown, notes }
  })
}
