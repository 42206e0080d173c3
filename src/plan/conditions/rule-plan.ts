import type { Comparison, Range } from '../../records/conditions/condition.ts'
import type { CountLimit } from '../count-limit.ts'

/** The test that a rule makes of the rows: of values as the rows hold them, or of how many there are. */
export type RuleTest =
  | Comparison<number | bigint>
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'filled'; readonly least: CountLimit }
  | { readonly kind: 'unique' }
  | ({ readonly kind: 'rows' } & Range<number | bigint>)

/** A rule of the config on the rows that a run writes. */
export interface RulePlan {
  /** Position in `records.tables`. */
  readonly table: number
  /** Position in the columns of the table; null for a rule on its rows. */
  readonly column: number | null
  readonly test: RuleTest
  /** The rule in words, for messages and reports. */
  readonly expected: string
  readonly severity: 'warn' | 'error'
  /** Another table of the encoding that has the ids of the rows, as this one lacks them. */
  readonly keyTable?: number | undefined
  /** True in a run that reads what changed: the number of its rows says nothing. */
  readonly isPartOfAll?: boolean | undefined
}
