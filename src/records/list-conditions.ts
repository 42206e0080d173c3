import type { Condition } from './flatten/table-plan.ts'

/** A condition of a plan, and the table whose elements it is on; null for those on records. */
export interface PlacedCondition {
  readonly table: string | null
  readonly condition: Condition
}

/** Conditions on records, and tables with those on their elements. */
export interface ConditionalPlan {
  readonly where: readonly Condition[]
  readonly tables: readonly { readonly name: string; readonly where: readonly Condition[] }[]
}

/** Every condition in the order in which outcomes count what each leaves out: those on records, then those of each table. */
export function listConditions({ where, tables }: ConditionalPlan): PlacedCondition[] {
  return [
    ...where.map((condition) => ({ table: null, condition })),
    ...tables.flatMap((table) => table.where.map((condition) => ({ table: table.name, condition }))),
  ]
}
