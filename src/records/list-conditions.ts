import type { RecordPlan } from './process-block.ts'
import type { Condition } from './table-plan.ts'

/** A condition of a plan, and the table whose elements it is on; null for those on records. */
export interface PlacedCondition {
  readonly table: string | null
  readonly condition: Condition
}

/** Every condition in the order in which outcomes count what each leaves out: those on records, then those of each table. */
export function listConditions({ where, tables }: Pick<RecordPlan, 'where' | 'tables'>): PlacedCondition[] {
  return [
    ...where.map((condition) => ({ table: null, condition })),
    ...tables.flatMap((table) => table.where.map((condition) => ({ table: table.name, condition }))),
  ]
}
