import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { GivenName } from '../../contracts/given-values.ts'
import type { Condition } from '../conditions/condition.ts'
import type { Column } from './column.ts'
import type { ContentHashPlan } from './content-hash.ts'

/**
 * One step from a value to a value inside it. `all` visits every element of a list, `index` takes one of them, `choose`
 * takes one by locale, `locale` takes the first filled value of a localized one. `orName`: the member to read if `name`
 * has no value. `where`: only elements that are objects and meet every condition count.
 */
export type Step =
  | { readonly kind: 'field'; readonly name: string; readonly orName?: string }
  | { readonly kind: 'index'; readonly index: number; readonly where?: readonly Condition[] }
  | { readonly kind: 'all'; readonly where?: readonly Condition[] }
  | { readonly kind: 'locale'; readonly locales: readonly string[]; readonly others: boolean }
  | ChooseStep

/**
 * Takes the element of the best locale among those in which the rest of the path is filled. By `element` that is the first of
 * `locales` that the element has among its own; with `others`, failing that, any. By `value` it is the locale of the
 * `locale` step that the rest of the path has, which says the same of the value.
 */
export interface ChooseStep {
  readonly kind: 'choose'
  readonly by: 'element' | 'value'
  readonly locales: readonly string[]
  readonly others: boolean
  readonly where: readonly Condition[]
}

/** The source of a cell. A plan without `own` is plain data: it can be sent to a worker. */
export type CellSource =
  /** The id of the record that the row belongs to. */
  | { readonly kind: 'key' }
  /** The 1-based position in the list at this depth of the table's `each`. */
  | { readonly kind: 'position'; readonly depth: number }
  /** The record (or element) as it was delivered. */
  | { readonly kind: 'delivered' }
  /** The hash of the record's content; see content-hash.ts. */
  | ({ readonly kind: 'contentHash' } & ContentHashPlan)
  /** A value of the source that the record came from. */
  | { readonly kind: 'given'; readonly name: GivenName }
  /** Nothing: null in every row. */
  | { readonly kind: 'nothing' }
  /** Null until the end of the run, which has a row a line of the list; the description is for readers. */
  | { readonly kind: 'listed'; readonly description: string }
  /** How many filled values a path that enters a list leads to. */
  | { readonly kind: 'count'; readonly steps: readonly Step[] }
  /** Whether a path leads to a filled value. */
  | { readonly kind: 'has'; readonly steps: readonly Step[] }
  /** What a built-in table computes, in words. */
  | { readonly kind: 'computed'; readonly meaning: string; readonly isFilled: boolean }
  /** What a function of the config computes. `module` is where it is from, with the hash of that file. */
  | { readonly kind: 'own'; readonly version: string; readonly module?: OwnModule; readonly compute: Compute }
  | {
      readonly kind: 'path'
      readonly steps: readonly Step[]
      /** The type at the end of the path; `json` for whatever is no scalar. */
      readonly delivered: ScalarType | 'json'
      /** Decimals of the delivered whole number: 2 for cents. */
      readonly unitScale: number
    }

/** A function of a config that computes a cell: of the record, and in a child table of the element too. It may say what types they have. */
// oxlint-disable-next-line typescript/no-explicit-any -- unknown would refuse functions of a product
export type Compute = (record: any, element?: any) => unknown

/** The module of a function, as the config names it, and the SHA-256 of its text. */
export interface OwnModule {
  readonly use: string
  readonly sha256: string
}

/** A table that is computed over all records of a run; see `src/plan/builtin/builtin-tables.ts`. */
export interface BuiltinPlan {
  readonly name: BuiltinName
  /** What a row is. */
  readonly description: string
  /** What it is computed from: the cells of each record, one row a record. No output shows them. */
  readonly feed: readonly ColumnPlan[]
}

export const builtinNames = ['codes', 'duplicates', 'price_periods'] as const

export type BuiltinName = (typeof builtinNames)[number]

export interface ColumnPlan extends Column {
  /** The path as the config or the contract writes it, for messages and manifests. */
  readonly from: string
  readonly source: CellSource
}

/** Whether the rows of a table are the lines of a list. */
export function isOfList({ columns }: Pick<TablePlan, 'columns'>): boolean {
  return columns.some(({ source }) => source.kind === 'listed')
}

/** One output table: a row a record, or, with `each`, a row an element of that path. */
export interface TablePlan {
  readonly name: string
  readonly each: readonly Step[]
  readonly columns: readonly ColumnPlan[]
  readonly where: readonly Condition[]
  /** True for a table that no store gets: its values are only counted. */
  readonly isCountedOnly?: boolean
  /** A built-in table: no record gives rows, they are computed at the end of a run. */
  readonly builtin?: BuiltinPlan
}
