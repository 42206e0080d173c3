import type { CountLimit } from '../count-limit.ts'

/**
 * The test that a rule makes of the rows. A value is as the cells of its column hold it, as text: of a timestamp milliseconds since
 * 1970, of a date days, of a decimal the unscaled integer.
 */
export type RuleTest =
  | { readonly kind: 'range'; readonly from: string | null; readonly to: string | null }
  | {
      readonly kind: 'in' | 'not'
      readonly values: readonly string[]
      /** Days among the values of a time; both ends are included. */
      readonly ranges?: readonly { readonly from: string; readonly until: string }[]
    }
  | { readonly kind: 'matches'; readonly pattern: string }
  | { readonly kind: 'filled'; readonly least: CountLimit }
  | { readonly kind: 'unique' }
  | { readonly kind: 'rows'; readonly from: number | null; readonly to: number | null }

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
