import type { RecordPlan } from '../records/process-block.ts'
import { findUnsupported } from '../scan/program/compile-scan.ts'

/** What of a plan the fast path does not know, so that the reference path does all of it; null if there is nothing. */
export function explainReference(plan: RecordPlan): string | null {
  const reason = findUnsupported(plan)
  if (reason === null) return null
  const columns = plan.tables.flatMap((table) =>
    table.isCountedOnly === true
      ? []
      : table.columns.filter((column) => isUnsupported(plan, { ...table, columns: [column], where: [] })),
  )
  const names = columns.map(({ name }) => name)
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  const subject = names.length === 0 ? '' : ` for the ${names.length === 1 ? 'column' : 'columns'} ${shown}`
  return `the run takes several times as long${subject}: the fast path does not know ${reason}`
}

function isUnsupported(plan: RecordPlan, table: RecordPlan['tables'][number]): boolean {
  return findUnsupported({ ...plan, where: [], tables: [table] }) !== null
}
