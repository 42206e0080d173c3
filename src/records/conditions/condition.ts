import type { Step } from '../flatten/table-plan.ts'

/** A test of the values at a path. Of several conditions all must hold. */
export interface Condition {
  readonly from: string
  readonly steps: readonly Step[]
  /** Further paths, any of which may meet the test instead: a bar code is delivered in one of several fields. */
  readonly otherSteps?: readonly (readonly Step[])[]
  readonly test: ConditionTest
  /** The key of the config that it comes from, if that is not `where`. */
  readonly by?: 'sourceIds' | 'source.filter'
  /** The condition as the config writes it, for reports. */
  readonly shown: string
}

/** A test of the value at the path, or of further conditions on it or on its elements. */
export type ConditionTest<Nested = Condition> =
  | ValueTest
  /** One element of the list meets every condition, or none does. */
  | { readonly kind: 'some' | 'none'; readonly where: readonly Nested[] }
  /** All conditions of at least one group are met; they are on what the whole is on. */
  | { readonly kind: 'any'; readonly of: readonly (readonly Nested[])[] }

export type ValueTest =
  | Comparison
  /** The codes of a list, as `toComparableCode` has them. Those that are met are noted. */
  | {
      readonly kind: 'listed'
      readonly codes: readonly string[]
      /** Leaves out nothing: the records were requested by these codes. */
      readonly isNotedOnly?: true
      /** With it codes are noted with their records, not alone: the key of a list whose lines are matched one by one. */
      readonly key?: string
    }
  /** Leaves out nothing: the value is noted with the record, to say why a line of a list has no row. */
  | { readonly kind: 'noted'; readonly as: NotedFact }

export type NotedFact = 'status' | 'replacement'

/**
 * A test of a value, in `where` and in the rules of `expect`. Of a list one element is enough, and null is a list in which no element
 * has a value; for `not` there must be none. Values of columns may be beyond 2^53.
 */
export type Comparison<Whole extends number | bigint = number> =
  | {
      readonly kind: 'in' | 'not'
      readonly values: readonly (string | Whole | boolean | null)[]
      /** Days among the values of a time. */
      readonly ranges?: readonly Range[]
    }
  | ({ readonly kind: 'range' } & Range<Whole>)

/** Both ends are included; null is an open one. */
export interface Range<Whole extends number | bigint = number> {
  readonly from: Whole | null
  readonly until: Whole | null
}
