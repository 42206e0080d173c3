import type { RunProfile } from '../kernel/profile/run-profile.ts'

/** How many rows of each group of the root table have a value in some columns. */
export interface Coverage {
  /** A column or path. */
  readonly by: string
  readonly columns: readonly { readonly label: string; readonly from: string }[]
  readonly groups: readonly CoverageGroup[]
  readonly others?: { readonly groups: number; readonly rows: number; readonly filled: readonly number[] } | undefined
}

export interface CoverageGroup {
  readonly value: string | null
  readonly rows: number
  /** In the order of the columns. */
  readonly filled: readonly number[]
}

/** How many records have a list of no element, of one, of two, …; the last count is of that many or more. */
export interface ListLengths {
  readonly table: string
  readonly path: string
  readonly counts: readonly number[]
}

/** A profile with what pictures of it are made of. */
export interface PicturedProfile extends RunProfile {
  readonly coverage?: readonly Coverage[] | undefined
  readonly listLengths?: readonly ListLengths[] | undefined
}
