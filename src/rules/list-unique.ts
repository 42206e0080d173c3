import type { RulePlan } from '../plan/pipeline-plan.ts'

/** The columns that are to be unique, in the order of their rules. */
export function listUnique(rules: readonly RulePlan[]): { readonly table: number; readonly column: number }[] {
  return rules.flatMap(({ table, column, test }) =>
    test.kind === 'unique' && column !== null ? [{ table, column }] : [],
  )
}
