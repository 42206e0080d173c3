import type { TableParts } from '../config/typed-table.ts'
import type { CheckedLocale } from '../records/tables/locale.ts'
import type { NameOf, TableOf, TableOfList } from '../records/tables/row-of.ts'
import type { TableOptions } from './plan-table.ts'

/** Options whose names the compiler checks, and which say the type of the rows. `Table`: what is known of the table. */
interface TypedTable<Table, Own, Columns, Excluded>
  extends
    TableParts<Table, Columns, Excluded>,
    Omit<TableOptions, 'table' | 'columns' | 'locales' | 'exclude' | 'each' | 'where' | 'builtin'> {
  /** Locales that become columns. Default nl, fr, en. */
  readonly locales?: readonly (Own & CheckedLocale<Own>)[] | undefined
}

/** A table by its name. */
export interface TypedTableOptions<Of, Name, Own, Columns, Excluded> extends TypedTable<
  TableOf<Of, Name>,
  Own,
  Columns,
  Excluded
> {
  readonly contract: Of
  /** A table of the contract: its plural (`products`) or a child table (`product_photos`). */
  readonly table: Name
  readonly each?: undefined
}

/** A table of any name whose rows are the elements of a list. */
export interface TypedListOptions<Of, Each, Own, Columns, Excluded> extends TypedTable<
  TableOfList<Of, Each>,
  Own,
  Columns,
  Excluded
> {
  readonly contract: Of
  /** Any name. */
  readonly table: string
  /** One row for each element of this list: photos[], photos[].organizations[], ean[]. */
  readonly each: Each
}

/** Options with a name that is known only at run time, which checks it; never for others. No key is unknown. */
export type RunTimeNames<Options, Known> = Options extends { readonly contract: infer Of }
  ? [NameOf<Of>] extends [never]
    ? NoKeysBut<Known, Options>
    : string extends NamesIn<Options>
      ? NoKeysBut<Known, Options>
      : never
  : NoKeysBut<Known, Options>

type NoKeysBut<Known, Options> = { readonly [Key in Exclude<keyof Options, keyof Known>]: never }

type NamesIn<Options> =
  | NameAt<Options, 'table'>
  | NameAt<Options, 'each'>
  | ElementsAt<Options, 'columns'>
  | ElementsAt<Options, 'exclude'>
  | ElementsAt<Options, 'locales'>

type NameAt<Options, Key> = Key extends keyof Options ? Options[Key] : never

type ElementsAt<Options, Key> =
  NameAt<Options, Key> extends infer List
    ? List extends readonly (infer Element)[]
      ? Element extends { readonly from: infer Path }
        ? Path
        : Element
      : never
    : never
