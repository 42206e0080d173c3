import { type Problem, problemAt } from '../../config/problem.ts'
import type { Sections } from '../../config/check-sections.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import { typeOf } from '../../types/column-types.ts'
import type { RatioPlan } from '../limits-plan.ts'
import { type RuleConfig, showColumn } from './plan-column-rules.ts'

/** Catches a change of the unit, such as from cents to euros, and no ordinary night. */
const usualFactor = 10

/** The rule of `preset: price_ratio`; none after a problem. */
export function planRatio(
  { factor = usualFactor, severity }: RuleConfig,
  {
    table,
    entry,
    column,
    at,
  }: Pick<RatioPlan, 'table' | 'entry'> & { readonly column: ColumnPlan; readonly at: number },
  path: Problem['path'],
  problems: Problem[],
): RatioPlan[] {
  const expected = `a median at most ${factor} times above or below that of the last run`
  if (typeOf(column.type).measure?.of === 'numbers') return [{ table, column: at, factor, entry, expected, severity }]
  const message = `rule: expected a column of numbers for price_ratio, got ${showColumn(column)}`
  problems.push(problemAt([...path, 'column'], message))
  return []
}

/** Refuses the rule for a pipeline that keeps nothing to compare with. */
export function checkRatios({ expect, profile, runs }: Sections): Problem[] {
  if (!expect?.some(({ preset }) => preset === 'price_ratio')) return []
  const compared = 'as preset: price_ratio compares a run with the profile of the last one'
  const isOff = { profile: profile === false, runs: runs === false }
  return (['profile', 'runs'] as const).flatMap((key) =>
    isOff[key] ? [problemAt([key], `expected true, ${compared}, got false`)] : [],
  )
}
