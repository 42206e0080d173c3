import type { Field } from '../../contracts/fields.ts'
import type { ContentHashPlan } from '../../records/flatten/content-hash.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'

export interface TreeContext {
  readonly writer: ProgramWriter
  readonly locales: readonly string[]
  /** A treatment of unknown keys: `unknownNoted`, `unknownIgnored` or `unknownRefused`. */
  readonly unknownFields: number
  readonly content: Pick<ContentHashPlan, 'without'> | null
  /** Paths of drift notes, by number. An object's path is the text before its keys. */
  readonly paths: string[]
  /** True in a list of texts without nulls. */
  readonly isBareList?: boolean
  /** Keys of this one object that fall back to the reference path. */
  readonly refused?: readonly string[]
  /** Writes the node of a field of any kind and the nodes in it. Throws Unsupported. */
  readonly writeNode: (context: TreeContext, field: Field, projection: NodeProjection, path: string) => ProgramOffset
}

/** A cell that gets the value at the end of `steps`. */
export interface TreeCell {
  readonly steps: readonly Step[]
  /** The word with the address of the row, and the cell's offset in it. */
  readonly slot: ProgramOffset
  readonly offset: number
  /** Set for a list cell that isn't open yet, or whose elements follow. */
  readonly list: (ListOffsets & { readonly isOpen: boolean }) | null
  readonly choice: ChoiceLists | null
  /** The choice among elements that gets the rank of a localized value. */
  readonly pick: ProgramOffset | null
  /** A fallback: the word of the best rank so far, and the rank of this value. */
  readonly rank: { readonly kept: ProgramOffset; readonly rank: number } | null
  /** For conditions on elements of the list: the cells of the cell that each element appends. The first one has none. */
  readonly element?: { readonly cells: readonly TreeCell[]; readonly isFirst: boolean }
  /** True if the value replaces only null: another member comes first. */
  readonly onlyNull?: boolean
}

export interface ListOffsets {
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
}

export interface ChoiceLists {
  readonly locales: ListOffsets | null
  readonly conditions: readonly (ListOffsets | null)[]
  readonly isJson: boolean
}

/** A table with a row for every element at the end of `steps`. */
export interface TreeTable {
  readonly steps: readonly Step[]
  readonly header: ProgramOffset
  readonly slot: ProgramOffset
  readonly cells: readonly TreeCell[]
  /** Offsets of the cells of positions, by depth of the list. */
  readonly positions: readonly { readonly offset: number; readonly depth: number }[]
  readonly passed: readonly ProgramOffset[]
}

export interface NodeProjection {
  readonly cells: readonly TreeCell[]
  readonly tables: readonly TreeTable[]
}

export const nothingProjected: NodeProjection = { cells: [], tables: [] }

/** Splits off the cells that get the value itself. */
export function splitProjection({ cells, tables }: NodeProjection): {
  readonly here: readonly TreeCell[]
  readonly inside: NodeProjection
} {
  const isHere = ({ steps, list }: TreeCell): boolean => steps.length === 0 && list === null
  return { here: cells.filter(isHere), inside: { cells: cells.filter((cell) => !isHere(cell)), tables } }
}
