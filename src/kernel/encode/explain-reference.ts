import type { RecordPlan } from '../../records/process-block.ts'
import { findUnsupported } from '../program/compile-scan.ts'

/** The reason why the fast path can't run a plan, so that the reference path does; null if it can. */
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
  const { check: _check, ...unchecked } = plan
  return findUnsupported({ ...unchecked, where: [], tables: [table] }) !== null
}
