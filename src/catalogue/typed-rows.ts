import type { Where } from './read-config.ts'
import type { TableParts } from '../config/typed-table.ts'
import type { RejectsFileLine } from '../records/reject.ts'
import type { CheckedLocale } from '../records/tables/locale.ts'
import type { TableOf, TableOfList } from '../records/tables/row-of.ts'
import type { RunTimeNames } from '../streams/typed-table.ts'
import type { RowsOptions } from './catalogue-records.ts'

/* The options of `rows`, whose names the compiler checks. `Of`: the contract of the records. */

export interface RowsCallbacks {
  /**
   * Gets every rejected line, with the members of a line of the rejects file; the reading waits for its promise. Without it
   * the first rejected line ends the reading, unless `rejects.limit` allows some.
   */
  readonly onReject?: ((reject: RejectsFileLine) => void | Promise<void>) | undefined
}

/** Options of the rows of a table by its name. */
export interface TableRowsOptions<Of, Name, Own, Columns, Excluded>
  extends TableParts<TableOf<Of, Name>, Columns, Excluded>, RowsLocales<Own>, RowsCallbacks {
  readonly each?: undefined
}

/** Options of rows that are the elements of a list. */
export interface ListRowsOptions<Of, Each, Own, Columns, Excluded>
  extends TableParts<TableOfList<Of, Each>, Columns, Excluded>, RowsLocales<Own>, RowsCallbacks {
  /** One row for each element of this list: photos[], photos[].organizations[], ean[]. */
  readonly each: Each
}

interface RowsLocales<Own> {
  /** Locales that become columns. Default nl, fr, en. */
  readonly locales?: readonly (Own & CheckedLocale<Own>)[] | undefined
}

/** Options with a name that is known only at run time; never for others. */
export type RunTimeRows<Of, Name, Options> = RunTimeNames<Named<Of, Name, Options>, Named<Of, Name, RowsOptions>>

/** The table of such options. */
export type RunTimeTable<Of, Name, Options> = [RunTimeRows<Of, Name, Options>] extends [never] ? never : unknown

type Named<Of, Name, Options> = Options & { readonly contract: Of; readonly table: Name }

/** Conditions whose paths are known only at run time; never for others. */
export type RunTimeConditions<Given extends Where> = string extends keyof Given ? unknown : never
