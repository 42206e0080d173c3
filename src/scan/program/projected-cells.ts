import type { Step } from '../../records/flatten/table-plan.ts'
import type { Place } from './program-writer.ts'

/** A cell that is filled by what lies at the end of `steps`. */
export interface TreeCell {
  readonly steps: readonly Step[]
  /** The word that holds the address of the row, and the cell's offset in it. */
  readonly slot: Place
  readonly offset: number
  /** A list cell that is still to be opened, or whose elements are still to come. */
  readonly list: (ListPlace & { readonly isOpen: boolean }) | null
  /** The lists that hold what an element is chosen by. */
  readonly choice: ChoiceLists | null
  /** The choice among elements that gets the rank of a localized value. */
  readonly pick: Place | null
  /** Of a fallback: where the best rank so far is kept, and the rank of this value. */
  readonly rank: { readonly kept: Place; readonly rank: number } | null
}

/** The header of a list region, and the slot of its newest cell. */
export interface ListPlace {
  readonly header: Place
  readonly slot: Place
}

/** As `ChoiceGoal`, with the lists in their places. */
export interface ChoiceLists {
  readonly locales: ListPlace | null
  readonly conditions: readonly (ListPlace | null)[]
  readonly isJson: boolean
}

/** A table whose rows begin at the elements at the end of `steps`. */
export interface TreeTable {
  readonly steps: readonly Step[]
  readonly header: Place
  readonly slot: Place
  readonly cells: readonly TreeCell[]
  /** Offsets of the cells that hold positions, by depth of the list. */
  readonly positions: readonly { readonly offset: number; readonly depth: number }[]
  /** Where the positions of the lists on the way are kept. */
  readonly passed: readonly Place[]
}

/** What is wanted of a value and of what lies in it. */
export interface Wanted {
  readonly cells: readonly TreeCell[]
  readonly tables: readonly TreeTable[]
}

export const nothingWanted: Wanted = { cells: [], tables: [] }

/** The cells that are filled by the value itself, and what is wanted of what lies in it. */
export function splitWanted({ cells, tables }: Wanted): {
  readonly here: readonly TreeCell[]
  readonly inside: Wanted
} {
  const isHere = ({ steps, list }: TreeCell): boolean => steps.length === 0 && list === null
  return { here: cells.filter(isHere), inside: { cells: cells.filter((cell) => !isHere(cell)), tables } }
}
