import type { Completeness } from '../../manifest/manifest.ts'

/** The comparison of two exports, landings or published runs. Plain data: it is what `diff --json` writes. */
export interface DiffReport {
  readonly version: 1
  /** True where nothing that is compared differs. */
  readonly equal: boolean
  /** The contract of the records. */
  readonly contract: string
  readonly old: DiffSide
  readonly new: DiffSide
  /** Fields that are no part of the comparison. */
  readonly ignored: readonly string[]
  /** The records of the contract, one table; of runs the tables that both have. */
  readonly tables: readonly TableDiff[]
  /** The file of all differences; absent without `--to`. */
  readonly to?: { readonly path: string; readonly rows: number }
}

/** One of the two that are compared. */
export interface DiffSide {
  readonly path: string
  readonly kind: 'export' | 'landing' | 'run'
  readonly files: number
  /** When it was fetched, or published; ISO 8601, UTC. Null for exports, which do not say it. */
  readonly time: string | null
  /** Null of a run, whose rows are compared. */
  readonly lines: SideLines | null
}

/** An export or a landing. */
export interface LinesSide extends DiffSide {
  readonly lines: SideLines
}

export interface SideLines {
  readonly total: number
  readonly blank: number
  /** Lines whose record a later line has again: the last one counts. */
  readonly repeated: number
  /** Lines that break their contract; those with an id are compared nevertheless. */
  readonly rejected: number
  /** Lines without an id that can be read; they are compared with nothing. */
  readonly withoutId: number
  readonly completeness: Completeness
}

export interface TableDiff {
  readonly name: string
  /** What records, or rows, are matched by: `id`, `product_id` and `position`. */
  readonly key: readonly string[]
  readonly new: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
  /** The most frequent first. */
  readonly fields: readonly FieldDiff[]
}

export interface FieldDiff {
  /** `publicPrice`, `name.nl`, `photos[].url`; of a run the column: `products.public_price`. */
  readonly field: string
  /** Records in which it differs. */
  readonly count: number
  /** The first one. */
  readonly example: Difference
}

/** One value that differs. */
export interface Difference {
  readonly id: string
  readonly field: string
  /** The id or the position of the element, of a value in a list; those of nested lists joined by `/`. Null of other values. */
  readonly element: string | null
  /** Text as it is, everything else as JSON; null where there is nothing. */
  readonly old: string | null
  readonly new: string | null
}
