import type { Comparison, Range } from '../../records/conditions/condition.ts'
import type { CountLimit } from '../count-limit.ts'

export type RuleTest =
  | Comparison<number | bigint>
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'filled'; readonly least: CountLimit }
  | { readonly kind: 'unique' }
  | ({ readonly kind: 'rows' } & Range<number | bigint>)

export interface RulePlan {
  /** Index in `records.tables`. */
  readonly table: number
  /** Index in the columns of the table; null for a rule on its rows. */
  readonly column: number | null
  readonly test: RuleTest
  readonly expected: string
  readonly severity: 'warn' | 'error'
  /** Index of another encoded table with the ids of the rows, if this one lacks them. */
  readonly keyTable?: number | undefined
  /** True for a delta, whose number of rows is not checked. */
  readonly isPartOfAll?: boolean | undefined
}
