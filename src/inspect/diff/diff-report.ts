import type { Completeness } from '../../manifest/manifest.ts'

/** Result of comparing two exports, landings or published runs; also the JSON of `diff --json`. */
export interface DiffReport {
  readonly version: 1
  readonly equal: boolean
  /** Of the records; `v4/product` if two tables of a lake are compared, which do not say it. */
  readonly contract: string
  readonly old: DiffSide
  readonly new: DiffSide
  readonly ignored: readonly string[]
  /** One table for the records of a contract; for runs, the tables that both have. */
  readonly tables: readonly TableDiff[]
  /** The file with all differences; only with `--to`. */
  readonly to?: { readonly path: string; readonly rows: number }
}

export interface DiffSide {
  readonly path: string
  readonly kind: 'export' | 'landing' | 'run' | 'table' | 'history'
  readonly files: number
  /** Time of fetching or publishing, or the moment of a history, in ISO 8601, UTC. Null for exports. */
  readonly time: string | null
  readonly lines: SideLines | null
}

export interface LinesSide extends DiffSide {
  readonly lines: SideLines
}

export interface SideLines {
  readonly total: number
  readonly blank: number
  /** Lines whose record comes again in a later line, which replaces them. */
  readonly repeated: number
  /** Lines that break their contract. They are compared nevertheless if they have an id. */
  readonly rejected: number
  /** Lines without a readable id, which are not compared. */
  readonly withoutId: number
  readonly completeness: Completeness
}

export interface TableDiff {
  readonly name: string
  /** Columns by which records or rows are matched: `id`, or `product_id` and `position`. */
  readonly key: readonly string[]
  readonly new: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
  readonly fields: readonly FieldDiff[]
}

export interface FieldDiff {
  /** `publicPrice`, `name.nl`, `photos[].url`; in runs the column, such as `products.public_price`. */
  readonly field: string
  readonly count: number
  readonly example: Difference
}

export interface Difference {
  readonly id: string
  readonly field: string
  /** Id or position of a list element, joined by `/` for nested lists. Null for values outside lists. */
  readonly element: string | null
  /** Text as it is, other values as JSON; null if missing. */
  readonly old: string | null
  readonly new: string | null
}
