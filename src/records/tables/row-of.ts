import type { AnyContract, ContractName } from '../../contracts/contracts.ts'
import type { AddedColumn, ColumnsAt, NamedValue } from './columns-of.ts'
import type { ExtraColumns, ExtraOf } from './extra-columns.ts'
import type { SpecLocale } from './locale.ts'
import type { PathName } from './path-name.ts'
import type { Suffix } from './snake-case.ts'
import type { RowValue, TableShape } from './table-shape.ts'
import type { ContractTables, RootTables } from './tables.ts'

/** One row of a table: an object with a property for each column, in order. */
export type TableRow = Record<string, RowValue>

/** What tables are of: a contract, its name, or what has it. */
type ContractOrName = AnyContract | ContractName | { readonly name: ContractName }

/** The name of a contract; never for a contract that is known only at run time. */
export type NameOf<Of> = Of extends ContractName
  ? Of
  : Of extends { readonly name: infer Name extends ContractName }
    ? Name
    : never

/** The tables that a contract has by default. An extended contract may have more. */
export type TableName<Of extends ContractOrName> = [NameOf<Of>] extends [never]
  ? string
  : [keyof TablesOf<Of, SpecLocale>] extends [never]
    ? string
    : (keyof TablesOf<Of, SpecLocale> & string) | ([ExtraOf<Of>] extends [never] ? never : string & {})

/** The table of the records of a contract. */
export type RootTable<Of extends ContractOrName> = [NameOf<Of>] extends [never] ? string : RootTables[NameOf<Of>]

type TablesOf<Of, Locale extends string> = ContractTables<Suffix<Locale>>[NameOf<Of>]

/** A field path that becomes columns of a table: `publicPrice`, `name.nl`, `brands[0].name`. */
export type ColumnPath<Of extends ContractOrName, Table extends TableName<Of>> = PathName<TableOf<Of, Table>>

/** A table by its name; never for one that the types don't know. */
export type TableOf<Of, Name, Locale extends string = SpecLocale> = [NameOf<Of>] extends [never]
  ? never
  : Name extends keyof TablesOf<Of, Locale>
    ? WithExtra<TablesOf<Of, Locale>[Name], ExtraOf<Of>, Locale>
    : never

type WithExtra<Table, Extra, Locale extends string> = [Extra] extends [never]
  ? Table
  : Table & { extra: ExtraColumns<Extra, Table extends TableShape ? Table['each'] : '', Locale> }

/**
 * A row of a table of a contract: of its root table with every column, `RowOf<'v4/product', 'nl' | 'fr'>`; of another
 * one, with the columns of these paths, `RowOf<'v4/product', 'nl', 'product_photos', 'id' | 'formats.large'>`.
 */
export type RowOf<
  Of extends ContractOrName,
  Locale extends string = SpecLocale,
  Table extends TableName<Of> = RootTable<Of> & TableName<Of>,
  Columns = 'all',
  Excluded = never,
> = RowOfTable<TableOf<Of, Table, Locale>, TableOf<Of, Table>, Columns, Excluded>

/** A row of the elements of a list. */
export type RowOfList<Of, Locale extends string, Each, Columns = 'all', Excluded = never> = RowOfTable<
  TableOfList<Of, Each, Locale>,
  TableOfList<Of, Each>,
  Columns,
  Excluded
>

/** `Spec`: the table in the locales of the specification, as `row` has it. */
type RowOfTable<Table, Spec, Columns, Excluded> = [Table] extends [never]
  ? TableRow
  : string extends Columns
    ? TableRow
    : Table extends TableShape
      ? Spec extends TableShape
        ? Join<
            ToRow<Table['row'], Table['keys'] | ColumnsAt<Table, Columns> | All<Table, Spec, Columns, Excluded>>,
            AddedColumn<Table, Columns>
          >
        : never
      : never

type Join<Row, Added extends NamedValue> = [Added] extends [never]
  ? Row
  : Row & { -readonly [Column in Added as Column[0]]: Column[1] }

/** Columns in locales beyond those of the specification are text as well. */
type ToRow<Row, Columns> = [Columns] extends [keyof Row]
  ? [keyof Row] extends [Columns]
    ? Row
    : Pick<Row, Columns>
  : Pick<Row, Columns & keyof Row> & { [Column in Exclude<Columns, keyof Row> & string]: string | null }

type All<Table extends TableShape, Spec extends TableShape, Columns, Excluded> = 'all' extends Columns
  ? Without<Table['localized'] | Without<keyof Table['row'], Spec['localized']>, ExcludedColumns<Table, Excluded>>
  : never

type Without<Names, Left> = [Left] extends [never]
  ? Names
  : [Names & Left] extends [never]
    ? Names
    : Exclude<Names, Left>

type ExcludedColumns<Table extends TableShape, Excluded> = [Excluded] extends [never]
  ? never
  : ColumnsAt<Table, Excluded> | ExcludedByWord<Table, Excluded>

type ExcludedByWord<Table extends TableShape, Excluded> =
  | ('deprecated' extends Excluded ? Table['deprecated'] : never)
  | ('volatile' extends Excluded ? Table['volatile'] : never)

/** The table whose rows are the elements of this list; never for a list of scalars. */
export type TableOfList<Of, Each, Locale extends string = SpecLocale> = {
  [Name in keyof TablesOf<Of, Locale>]: TablesOf<Of, Locale>[Name] extends { each: Each }
    ? TableOf<Of, Name, Locale>
    : never
}[keyof TablesOf<Of, Locale>]

/** The paths of all lists that a table may be made of. */
export type EachName<Of> = {
  [Name in keyof TablesOf<Of, SpecLocale>]: TablesOf<Of, SpecLocale>[Name] extends infer Table extends TableShape
    ? Table['each'] extends ''
      ? `${Table['items']}[]`
      : Table['each'] | `${Table['each']}.${Table['items']}[]`
    : never
}[keyof TablesOf<Of, SpecLocale>]
