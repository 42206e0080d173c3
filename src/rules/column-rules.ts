import type { RulePlan } from '../plan/pipeline-plan.ts'
import { type ColumnCounts, noCounts } from '../profile/column-counts.ts'
import { ValueCounter } from '../profile/value-counter.ts'
import type { Column } from '../records/flatten/column.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { type AllowValue, compileRuleTest } from './rule-test.ts'

/** A rule that is on the values of a column, or on rows without one, with what breaks it so far. */
export class ColumnRule {
  readonly table: number
  /** Position in the columns of the table. */
  readonly column: number
  readonly #allow: AllowValue | null
  readonly #broken: ValueCounter

  constructor({ table, test }: RulePlan, position: number, { type }: Column) {
    this.table = table
    this.column = position
    this.#allow = compileRuleTest(test, type)
    this.#broken = new ValueCounter(type)
  }

  /** True for a rule on values, false for one on rows without. */
  get isOnValues(): boolean {
    return this.#allow !== null
  }

  addRowWithout(): void {
    this.#broken.filled++
  }

  addValue(text: string): void {
    if (this.#allow?.(text) !== false) return
    this.#broken.filled++
    this.#broken.add(text)
  }

  collect(): ColumnCounts {
    return this.#broken.collect()
  }
}

/** By rule; null for one that is counted elsewhere. */
export function openColumnRules(rules: readonly RulePlan[], tables: readonly TablePlan[]): (ColumnRule | null)[] {
  return rules.map((rule) => {
    const column = rule.column === null ? undefined : tables[rule.table]?.columns[rule.column]
    if (rule.column === null || column === undefined || rule.test.kind === 'unique') return null
    return new ColumnRule(rule, rule.column, column)
  })
}

/** By rule: what breaks it. */
export function collectBroken(rules: readonly (ColumnRule | null)[]): ColumnCounts[] {
  return rules.map((rule) => rule?.collect() ?? noCounts)
}
