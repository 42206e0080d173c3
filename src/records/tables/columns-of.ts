import type { JsonCell } from '../../types/json-cell.ts'
import type { RowScalar } from '../../types/column-type-definition.ts'
import type { SnakePath, Suffix } from './snake-case.ts'
import type { RowValue, TableShape } from './table-shape.ts'

export type NamedValue = [name: string, value: unknown]

/** The columns of `row` that these paths become. */
export type ColumnsAt<Table extends TableShape, Paths> = Table['paths'][Extract<Paths, string> & keyof Table['paths']]

/** The columns that `row` lacks: of paths into lists, with options, of added fields. */
export type AddedColumn<Table extends TableShape, Columns> = Columns extends string
  ? Columns extends keyof Table['paths']
    ? never
    : Columns extends 'all'
      ? ColumnOfExtra<Table, string>
      : ColumnsOfPath<Table, Columns>
  : ColumnOfEntry<Table, Columns>

type ColumnOfExtra<Table, Path> = Table extends { extra: infer Column extends [unknown, ...NamedValue] }
  ? Column extends [infer Known, infer Name extends string, infer Value]
    ? Known extends Path
      ? [Name, Value]
      : never
    : never
  : never

/** The columns of any path, with their values. */
type ColumnsOfPath<Table extends TableShape, Path extends string> = Path extends keyof Table['paths']
  ? Valued<Table, Table['paths'][Path]>
  : Path extends '$'
    ? ['record', JsonCell | null]
    : Path extends `${infer List}[${infer At}].${infer Rest}`
      ? ColumnsInList<Table['lists'], `${List}[]`, At, Rest>
      : Path extends `${infer List extends Table['items']}[${infer At}]`
        ? ItemColumn<Valued<Table, Table['paths'][List & keyof Table['paths']]>, At>
        : ColumnOfExtra<Table, Path>

type Valued<Table extends TableShape, Names> = Names extends keyof Table['row'] & string
  ? [Names, Table['row'][Names]]
  : Names extends string
    ? [Names, string | null]
    : never

type ItemColumn<Column, At extends string> = Column extends [infer Name extends string, infer Value]
  ? At extends ''
    ? [Name, Value]
    : [`${Name}_${At}`, One<Value>]
  : never

type ColumnsInList<Lists, List, At extends string, Rest extends string> = List extends keyof Lists
  ? Lists[List] extends infer Table extends TableShape
    ? ColumnsOfPath<Table, Rest> extends infer Column
      ? Column extends [infer Name extends string, infer Value]
        ? At extends ''
          ? [`${Table['prefix']}_${Name}`, Listed<Value>]
          : [`${Table['prefix']}_${At}_${Name}`, Value | null]
        : never
      : never
    : never
  : never

type Listed<Value> = NonNullable<Value> extends readonly unknown[] ? Value : (Value | null)[] | null

type One<Value> = NonNullable<Value> extends readonly (infer Element)[] ? Element | null : Value

/** The columns of an entry `{ column, from, as, … }`. */
type ColumnOfEntry<Table extends TableShape, Entry> = Entry extends { readonly count: infer Path extends string }
  ? [Named<Entry, `${SnakePath<Path>}_count`>, number]
  : Entry extends { readonly has: infer Path extends string }
    ? HasColumn<Entry, SnakePath<Path>, ColumnsOfPath<Table, Path>>
    : Entry extends { readonly from: infer Path extends string }
      ? string extends Path
        ? [Named<Entry, string>, RowValue]
        : ColumnFrom<Table, Entry, Path>
      : never

type Named<Entry, Default> = Entry extends { readonly column: infer Name extends string } ? Name : Default

/** A localized field is asked about in every locale; a list has no column of its own. */
type HasColumn<Entry, Base extends string, Column> = [Column] extends [never]
  ? [Named<Entry, `has_${Base}`>, boolean]
  : Column extends [infer Name extends string, unknown]
    ? [Entry extends { readonly column: infer Own extends string } ? Renamed<Name, Base, Own> : `has_${Name}`, boolean]
    : never

type ColumnFrom<Table extends TableShape, Entry, Path extends string> = Entry extends { readonly as: 'json' }
  ? [Named<Entry, SnakePath<Path>>, JsonCell | (JsonCell | null)[] | null]
  : Entry extends { readonly locale: infer Locale extends string }
    ? ColumnInLocale<Entry, Path, Locale, ColumnsOfPath<Table, Path>>
    : Converted<Entry, SnakePath<Path>, ColumnsOfPath<Table, Path>>

/** One column a leaf: with another name its beginning changes. */
type Converted<Entry, Base extends string, Column> = Column extends [infer Name extends string, infer Value]
  ? [Entry extends { readonly column: infer Own extends string } ? Renamed<Name, Base, Own> : Name, As<Entry, Value>]
  : never

type Renamed<Name extends string, Base extends string, Own extends string> = Name extends Base
  ? Own
  : Name extends `${Base}_${infer Rest}`
    ? `${Own}_${Rest}`
    : Own

/** Of a list, the element in a locale, where the path or conditions choose one. */
type ColumnInLocale<Entry, Path extends string, Locale extends string, Column> = Column extends [unknown, infer Value]
  ? Path extends `${string}[${string}`
    ? [Named<Entry, string>, As<Entry, InLocale<Entry, SnakePath<Path>, Column, Value>>]
    : [Named<Entry, `${SnakePath<Path>}_${Suffix<Locale>}`>, As<Entry, Value>]
  : never

type InLocale<Entry, Base, Column, Value> = Column extends [Base, unknown]
  ? One<Value>
  : Entry extends { readonly where: unknown }
    ? One<Value>
    : Value

type As<Entry, Value> = Entry extends { readonly as: infer Type extends string }
  ? NonNullable<Value> extends readonly unknown[]
    ? (ValueAs<Type> | null)[] | null
    : ValueAs<Type> | null
  : Value

type ValueAs<Type extends string> = Type extends keyof ValuesAs
  ? ValuesAs[Type]
  : Type extends `decimal(${string}`
    ? string
    : NonNullable<RowScalar>

interface ValuesAs {
  text: string
  integer: number | bigint
  float: number
  boolean: boolean
  timestamp: Date
  date: string
  json: JsonCell
}
