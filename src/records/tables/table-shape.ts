import type { RowScalar } from '../../types/column-type-definition.ts'
import type { ExtraColumn } from './extra-columns.ts'

export type RowValue = RowScalar | RowScalar[]

/** What is known of a table; see `tables.ts`, which is made from the contracts. */
export interface TableShape {
  /** The path of its list; empty for the table of the records. */
  each: string
  /** What the names of columns from this list begin with in the table around it. */
  prefix: string
  row: object
  /** Paths of fields outside lists of objects, with the columns that each becomes. */
  paths: object
  /** Columns that every row has. */
  keys: string
  localized: string
  deprecated: string
  volatile: string
  /** The paths of lists of scalars. */
  items: string
  /** The tables of the lists of objects inside it. */
  lists: object
  extra?: ExtraColumn
}
