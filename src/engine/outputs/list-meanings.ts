import type { TableMeaning } from '../../loads/databases/format-comments.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import type { DatabasePlan } from '../../plan/outputs/database-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { describeModeColumn, describeTables } from '../../plan/records/describe-tables.ts'

/** Descriptions of tables and columns, for comments in a database. */
export function listMeanings(
  records: RecordsPlan,
  database: Pick<DatabasePlan, 'tables' | 'mode' | 'removed'>,
): TableMeaning[] {
  const described = describeTables(records)
  const added = listModeColumns(database).map(describeModeColumn)
  return database.tables.flatMap((table) => {
    const { description, columns } = described[table] ?? { description: '', columns: [] }
    const meanings = [...columns, ...added].map((column) => [column.name, column.description])
    return { description, columns: Object.fromEntries(meanings) as TableMeaning['columns'] }
  })
}
