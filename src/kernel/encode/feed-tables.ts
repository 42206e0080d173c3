import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { RecordPlan } from '../../records/process-block.ts'

/** The records with the feed of each built-in table in its place: a row a record, which no store gets. */
export function withFeeds<Plan extends Pick<RecordPlan, 'tables'>>(records: Plan): Plan {
  if (!records.tables.some(({ builtin }) => builtin)) return records
  return { ...records, tables: records.tables.map(toFeed) }
}

function toFeed(table: TablePlan): TablePlan {
  const { name, builtin } = table
  return builtin ? { name, each: [], columns: builtin.feed, where: [], isCountedOnly: true } : table
}

/** The form of the feed in pieces of blocks. */
export const feedFormat = { format: 'ndjson' } as const
