import type { Step } from '../records/table-plan.ts'
import type { Place } from './program-writer.ts'

/** A cell that is filled by what lies at the end of `steps`. */
export interface TreeCell {
  readonly steps: readonly Step[]
  /** The word that holds the address of the row, and the cell's offset in it. */
  readonly slot: Place
  readonly offset: number
  /** A list cell that is still to be opened, or whose elements are still to come. */
  readonly list: { readonly header: Place; readonly slot: Place; readonly isOpen: boolean } | null
  /** Where the locales of elements go that the cell's element is chosen from. */
  readonly chosenBy: { readonly header: Place; readonly slot: Place } | null
  /** Of a fallback: where the best rank so far is kept, and the rank of this value. */
  readonly rank: { readonly kept: Place; readonly rank: number } | null
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
