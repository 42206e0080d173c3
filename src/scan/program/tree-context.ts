import type { Field } from '../../contracts/fields.ts'
import type { ContentHashPlan } from '../../records/flatten/content-hash.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'

/** The context that the nodes of a tree are written in. */
export interface TreeContext {
  readonly writer: ProgramWriter
  readonly locales: readonly string[]
  /** One of the kinds of `objectUnknown`. */
  readonly unknownFields: number
  /** The field left out of the content; null where the content is not written. */
  readonly content: Pick<ContentHashPlan, 'without'> | null
  /** The paths that notes of drift name by number: of an object the text before its keys. */
  readonly paths: string[]
  /** True for a list of texts without nulls. */
  readonly isBareList?: boolean
  /** Keys of this one object that are left to the reference path. */
  readonly refused?: readonly string[]
  /** Writes the node of a field, and those of what lies in it, whatever its kind. Throws Unsupported. */
  readonly writeNode: (context: TreeContext, field: Field, projection: NodeProjection, path: string) => ProgramOffset
}

/** A cell that is filled by what lies at the end of `steps`. */
export interface TreeCell {
  readonly steps: readonly Step[]
  /** The word that holds the address of the row, and the cell's offset in it. */
  readonly slot: ProgramOffset
  readonly offset: number
  /** A list cell that is still to be opened, or whose elements are still to come. */
  readonly list: (ListOffsets & { readonly isOpen: boolean }) | null
  /** The lists that hold what an element is chosen by. */
  readonly choice: ChoiceLists | null
  /** The choice among elements that gets the rank of a localized value. */
  readonly pick: ProgramOffset | null
  /** A fallback: the word of the best rank so far, and the rank of this value. */
  readonly rank: { readonly kept: ProgramOffset; readonly rank: number } | null
  /** Where conditions are on elements of the list: what fills the cell that it appends for each; nothing fills the first. */
  readonly element?: { readonly cells: readonly TreeCell[]; readonly isFirst: boolean }
  /** The value takes the place of null only: that of another member comes first. */
  readonly onlyNull?: boolean
}

/** The header of a list region, and the slot of its newest cell. */
export interface ListOffsets {
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
}

/** A `ProjectedChoice` with the offsets of its lists. */
export interface ChoiceLists {
  readonly locales: ListOffsets | null
  readonly conditions: readonly (ListOffsets | null)[]
  readonly isJson: boolean
}

/** A table whose rows begin at the elements at the end of `steps`. */
export interface TreeTable {
  readonly steps: readonly Step[]
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
  readonly cells: readonly TreeCell[]
  /** Offsets of the cells that hold positions, by depth of the list. */
  readonly positions: readonly { readonly offset: number; readonly depth: number }[]
  /** The words of the positions of the lists on the way. */
  readonly passed: readonly ProgramOffset[]
}

/** The cells and tables that are filled by a value and by what lies in it. */
export interface NodeProjection {
  readonly cells: readonly TreeCell[]
  readonly tables: readonly TreeTable[]
}

export const nothingProjected: NodeProjection = { cells: [], tables: [] }

/** The cells that are filled by the value itself, and the projection of what lies in it. */
export function splitProjection({ cells, tables }: NodeProjection): {
  readonly here: readonly TreeCell[]
  readonly inside: NodeProjection
} {
  const isHere = ({ steps, list }: TreeCell): boolean => steps.length === 0 && list === null
  return { here: cells.filter(isHere), inside: { cells: cells.filter((cell) => !isHere(cell)), tables } }
}
