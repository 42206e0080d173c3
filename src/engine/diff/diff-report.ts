import type { Completeness } from '../../sources/completeness.ts'

/** The comparison of two exports, landings or published runs. Plain data: it is what `diff --json` writes. */
export interface DiffReport {
  readonly version: 1
  /** True where nothing that is compared differs. */
  readonly equal: boolean
  /** The contract of the records; null for published runs. */
  readonly contract: string | null
  readonly old: DiffSide
  readonly new: DiffSide
  /** Fields that are no part of the comparison. */
  readonly ignored: readonly string[]
  /** One of exports and landings, those of the runs otherwise. */
  readonly tables: readonly TableDiff[]
  /** Tables that could not be compared, and why. */
  readonly notCompared: readonly { readonly table: string; readonly reason: string }[]
  /** The file of all differences; absent without `--to`. */
  readonly to?: { readonly path: string; readonly rows: number }
}

/** One of the two that are compared. */
export interface DiffSide {
  readonly path: string
  readonly kind: 'export' | 'landing' | 'run'
  readonly files: number
  /** The lines of exports and landings; null for runs. */
  readonly lines: SideLines | null
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
  /** The columns that rows are matched by; `id` for records. Empty where whole rows are compared. */
  readonly key: readonly string[]
  readonly new: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
  /** The most frequent first. */
  readonly fields: readonly FieldDiff[]
  /** Columns that only one of the runs has. */
  readonly onlyOld?: readonly string[]
  readonly onlyNew?: readonly string[]
}

export interface FieldDiff {
  /** `publicPrice`, `name.nl`, `photos[].url` */
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
