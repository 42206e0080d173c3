import type { SpecLocale } from '../records/tables/locale.ts'
import type { ListName, PathName } from '../records/tables/path-name.ts'
import type { TableShape } from '../records/tables/table-shape.ts'
import type { PipelineConfig } from './pipeline-config.ts'
import type { ConditionsOf, ElementConditions } from './typed-conditions.ts'

/* Parts of a config whose names the compiler checks. */

type TableConfig = NonNullable<PipelineConfig['tables']>[string]

/** What a table holds. */
export interface TableParts<Table, Columns, Excluded> {
  /** The columns in their order: field paths, or objects that name and convert; by default all. */
  readonly columns?: 'all' | readonly Columns[] | undefined
  /** Field paths to leave out, or the words deprecated and volatile; a column that names an excluded path stays. */
  readonly exclude?: readonly Excluded[] | undefined
  /** Conditions on the record, or on the element that a row is made of. */
  readonly where?: ConditionsOf<Table> | undefined
}

/** An entry of `columns` as it may be written anywhere. */
export type ColumnConfig = Exclude<NonNullable<TableConfig['columns']>, 'all'>[number]

type ColumnOptions = Exclude<ColumnConfig, string>

/** An entry of `columns`: a field path, the word `all`, or options. */
export type ColumnEntry<Table, Own extends string, Named extends string = string> = [Table] extends [never]
  ? ColumnConfig
  : 'all' | PathName<Table> | TypedColumn<Table, Own | SpecLocale, Named>

/** The options of a column: one of `from`, `count` and `has`, and what is made of it. */
interface TypedColumn<Table, Own extends string, Named extends string> extends Omit<
  ColumnOptions,
  'column' | 'from' | 'count' | 'has' | 'locale' | 'fallback' | 'as' | 'where'
> {
  /** The name; by default the path in snake case. */
  readonly column?: Named | undefined
  /** A field path such as brands[0].name or activeIngredients[].id; $ is the whole record. */
  readonly from?: PathName<Table> | ListName<ListsOf<Table>> | undefined
  /** In place of from, the path of a list such as photos[]: how many elements there are. */
  readonly count?: PathName<Table> | ListName<ListsOf<Table>> | undefined
  /** In place of from, a field path such as publicPrice or photos[]: whether there is a value. */
  readonly has?: PathName<Table> | ListName<ListsOf<Table>> | undefined
  /** One locale of a localized field; or of a list, such as photos, the element that suits it. */
  readonly locale?: Own | undefined
  /** Locales to try next, the first filled one wins; `spec` is the specification's own order for images. */
  readonly fallback?: 'spec' | readonly Own[] | undefined
  /** The type of its values. */
  readonly as?: TypeName | undefined
  /** Conditions that an element of the list in the path must meet; with locale the column is one of those elements. */
  readonly where?: ElementConditions<ListsOf<Table>> | undefined
}

type TypeName =
  'text' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'date' | 'json' | `decimal(${number},${' ' | ''}${number})`

/** An entry of `exclude`: a field path, or the mark of fields. */
export type ExcludeEntry<Table> = [Table] extends [never]
  ? string
  : 'deprecated' | 'volatile' | PathName<Table> | ListName<ListsOf<Table>>

type ListsOf<Table> = Table extends TableShape ? Table['lists'] : never
