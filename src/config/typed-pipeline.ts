import type { ContractName } from '../contracts/contracts.ts'
import type { ExtraFields } from '../contracts/extended/extra-fields.ts'
import type { CheckedLocale, SpecLocale } from '../records/tables/locale.ts'
import type { PathName } from '../records/tables/path-name.ts'
import type { EachName, NameOf, RootTable, TableName, TableOf, TableOfList } from '../records/tables/row-of.ts'
import type { TableShape } from '../records/tables/table-shape.ts'
import type { ContractOfEndpoint, FilterOf, SortingOf } from '../service/endpoints/check-request.ts'
import type { EndpointName } from '../service/endpoints/endpoints.ts'
import type { PipelineConfig } from './pipeline-config.ts'
import type { ConditionsOf } from './typed-conditions.ts'
import type { ColumnEntry, ExcludeEntry, TableParts } from './typed-table.ts'

/* The parts of a config whose names the compiler checks. `Of`: its contract, with the fields that the config adds. */

/** A `PipelineConfig` whose names the compiler checks: of its source, fields, tables, columns, locales and rules. */
export interface TypedPipelineConfig<
  Name extends EndpointName,
  Contract extends ContractName,
  Extra extends ExtraFields,
  Own extends string,
  Tables extends string,
  Named extends string,
  Of extends Subject = ContractOf<Name, Contract, Extra>,
> extends Omit<PipelineConfig, 'source' | 'contract' | 'locales' | 'where' | 'tables' | 'outputs' | 'expect'> {
  /** The records: files, or an endpoint of the service. */
  source: FileSourceConfig<Contract> | EndpointSourceConfig<Name, Contract>
  /** The treatment of what the contract does not know. */
  contract?: ContractPolicy<Extra> | undefined
  /** The locales that become columns, by default nl, fr and en; values in others are counted. */
  locales?: readonly (Own & CheckedLocale<Own>)[] | undefined
  /** Conditions that a record must meet, by field path; others are counted as filtered. */
  where?: ConditionsOf<RootOf<Of>> | undefined
  /** The tables by name; by default one for the records and one for each list of objects in them. */
  tables?: { readonly [Table in Tables]: TypedTableConfig<Of, Own, Named> } | undefined
  /** The files and databases that hold the tables; by default Parquet and CSV. */
  outputs?: readonly TypedOutput<NoInfer<Tables>, AnyColumn<Of, Own, NoInfer<Named>>>[] | undefined
  /** Rules on the rows that a run writes, each of a column or a table, checked while writing. */
  expect?: readonly TypedRule<NoInfer<Tables>, AnyColumn<Of, Own, NoInfer<Named>>>[] | undefined
}

type Subject = ContractName | { readonly name: ContractName }

type Source = PipelineConfig['source']

export interface FileSourceConfig<Contract extends ContractName> extends Omit<Source, 'contract' | 'endpoint'> {
  endpoint?: undefined
  /** The contract that the records meet. */
  contract: Contract
}

/** A source that is an endpoint of the service, with the filter and sorting keys of that endpoint. */
export interface EndpointSourceConfig<
  Name extends EndpointName,
  Contract extends ContractName = ContractName,
> extends Omit<Source, 'contract' | 'endpoint' | 'files' | 'filter' | 'sorting'> {
  files?: undefined
  endpoint: Name
  /** The records to request, by the filter keys of the endpoint. */
  filter?: FilterOf<Name> | undefined
  /** The order: one key of the endpoint. */
  sorting?: SortingOf<Name> | undefined
  /** The contract that the records meet; an endpoint knows its own. */
  contract?: Contract | undefined
}

/** The contract that a source names, else that of its endpoint, with fields that are added to it. */
export type ContractOf<Name extends EndpointName, Contract extends ContractName, Extra> = ExtendedBy<
  [Contract] extends [never] ? ContractOfEndpoint<Name> : Contract,
  Extra
>

type ExtendedBy<Contract extends ContractName, Extra> = [Extra] extends [never]
  ? Contract
  : { readonly name: Contract; readonly extra: Extra }

interface ContractPolicy<Extra> extends Omit<NonNullable<PipelineConfig['contract']>, 'extra'> {
  /** Fields that the contract does not list, by path, with their types: they become columns. */
  extra?: Extra | undefined
}

type RootOf<Of extends Subject> = TableOf<Of, RootTable<Of>>

/** A table of the records, of a list, or one that is computed. */
type TypedTableConfig<Of extends Subject, Own extends string, Named extends string> =
  | TableOfRecords<RootOf<Of>, Own, Named>
  | { [Each in EachName<Of>]: TableOfElements<Each, TableOfList<Of, Each>, Own, Named> }[EachName<Of>]
  | ComputedTable

interface TableOfRecords<Table, Own extends string, Named extends string> extends TableParts<
  Table,
  ColumnEntry<Table, Own, Named>,
  ExcludeEntry<Table>
> {
  readonly builtin?: undefined
  readonly each?: undefined
}

interface TableOfElements<Each, Table, Own extends string, Named extends string> extends TableParts<
  Table,
  ColumnEntry<Table, Own, Named>,
  ExcludeEntry<Table>
> {
  readonly builtin?: undefined
  /** One row for each element of this list: photos[], photos[].organizations[], ean[]. */
  readonly each: Each
}

interface ComputedTable {
  /** A table that is computed over all records, with columns of its own; it stands alone. */
  readonly builtin: NonNullable<NonNullable<PipelineConfig['tables']>[string]['builtin']>
  readonly each?: undefined
}

type Output = NonNullable<PipelineConfig['outputs']>[number]

type TypedOutput<Tables, Column, Each = Output> = Each extends unknown
  ? Omit<Each, 'tables' | 'partitionBy'> & TablesOfOutput<Tables> & Partition<Each, Column>
  : never

interface TablesOfOutput<Tables> {
  /** The tables that this output holds; by default all. */
  readonly tables?: readonly Tables[] | undefined
}

type Partition<Each, Column> = 'partitionBy' extends keyof Each ? PartitionBy<Column> : unknown

interface PartitionBy<Column> {
  /** Columns whose values become folders such as status=active; a table without them has none. */
  readonly partitionBy?: readonly Column[] | undefined
}

interface TypedRule<Tables, Column> extends Omit<NonNullable<PipelineConfig['expect']>[number], 'table' | 'column'> {
  /** The table; by default that of the records. */
  readonly table?: Tables | undefined
  /** A column of the table, or the field path that it is made from. */
  readonly column?: Column | undefined
}

/** The columns of any table of a contract, field paths, and what a config names. */
type AnyColumn<Of extends Subject, Own extends string, Named extends string> = [NameOf<Of>] extends [never]
  ? string
  : | ColumnOf<Of, Own | SpecLocale, TableName<Of>>
    | Named
    | `${Named}_${string}`
    | `${'has' | 'list'}_${string}`
    | `${string}_count`

type ColumnOf<Of, Own extends string, Tables> = Tables extends string
  ? ColumnIn<TableOf<Of, Tables, Own>> | PathName<TableOf<Of, Tables>>
  : never

type ColumnIn<Table> = Table extends TableShape
  ? (keyof Table['row'] & string) | Table['localized'] | `${PrefixIn<Table['lists']>}_${string}` | ExtraName<Table>
  : never

type PrefixIn<Lists> = {
  [List in keyof Lists]: Lists[List] extends TableShape ? Lists[List]['prefix'] : never
}[keyof Lists]

type ExtraName<Table> = Table extends { extra: infer Column extends [unknown, string, unknown] } ? Column[1] : never
