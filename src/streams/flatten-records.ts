import { aFunction, misuse, misusedBy, checkedLater, type OptionKinds, requireOptions } from '../check-options.ts'
import type { ColumnEntry, ExcludeEntry } from '../config/typed-table.ts'
import type { AnyContract, ContractName } from '../contracts/contracts.ts'
import { type ContractOf, toContract } from '../contracts/extended/given-contract.ts'
import type { CatalogueError } from '../errors.ts'
import type { Column } from '../records/flatten/column.ts'
import type { Issue } from '../records/reject.ts'
import { compileFlattening, readsDelivered } from '../records/flatten/flatten-record.ts'
import type { AnyLocale, SpecLocale } from '../records/tables/locale.ts'
import type { EachName, RowOf, RowOfList, TableName, TableOf, TableOfList, TableRow } from '../records/tables/row-of.ts'
import { compileConditions } from '../records/conditions/match-conditions.ts'
import { parseAgain } from '../records/parse-line.ts'
import type { CanonicalRecord } from '../records/validate/validate-record.ts'
import { planTable, type TableOptions, tableOptions } from './plan-table.ts'
import { nothingAfter, rejectLine, type OnReject } from './rejected-line.ts'
import { Stage } from './stage.ts'
import { compileTableRow } from '../records/tables/compile-table-row.ts'
import type { RunTimeNames, TypedListOptions, TypedTableOptions } from './typed-table.ts'
import type { ValidatedRecord } from './validate-records.ts'

type OtherFlattenOptions = Pick<FlattenRecordsOptions, 'onReject'>

export interface FlattenRecordsOptions extends TableOptions {
  /** Or its name. Checks the options at once and types the rows. By default the contract comes with the records. */
  readonly contract?: AnyContract | ContractName | undefined
  /**
   * Gets every line with a value that can't become its column's without loss. Without it the first such line ends the
   * stream.
   */
  readonly onReject?: OnReject | undefined
}

/**
 * Validated records → the rows of one table, as objects. Throws USAGE or CONFIG_INVALID for wrong options: at
 * once if `contract` is given, else at the first record. Names that are known only at run time give a `TableRow`.
 */
export function flattenRecords<const Options extends FlattenRecordsOptions>(
  options: Options & RunTimeNames<Options, FlattenRecordsOptions>,
): Stage<ValidatedRecord, TableRow>
export function flattenRecords<
  const Of extends AnyContract | ContractName,
  const Each extends EachName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOfList<Of, Each>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOfList<Of, Each>> = never,
>(
  options: TypedListOptions<Of, Each, Own, Columns, Excluded> & OtherFlattenOptions,
): Stage<ValidatedRecord<ContractOf<Of>>, RowOfList<Of, Own, Each, Columns, Excluded>>
export function flattenRecords<
  const Of extends AnyContract | ContractName,
  const Name extends TableName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOf<Of, Name>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOf<Of, Name>> = never,
>(
  options: TypedTableOptions<Of, Name, Own, Columns, Excluded> & OtherFlattenOptions,
): Stage<ValidatedRecord<ContractOf<Of>>, RowOf<Of, Own, Name, Columns, Excluded>>
export function flattenRecords(given: object): Stage<ValidatedRecord, TableRow> {
  const all = given as FlattenRecordsOptions
  requireOptions('flattenRecords', all, flattenOptions)
  const { contract: named, onReject, ...options } = all
  const known = named === undefined ? undefined : toContract('flattenRecords', named)
  let contract = known
  let toRows = known && compileRows(known, options)
  return new Stage({
    take(item) {
      requireValidated(item)
      contract ??= item.contract
      if (item.contract !== contract) throw otherContract(contract, item.contract)
      toRows ??= compileRows(contract, options)
      const { rows, issues } = toRows(item)
      return issues.length === 0 ? rows : nothingAfter(rejectLine(item, item.record, issues, onReject))
    },
  })
}

function compileRows(contract: AnyContract, options: TableOptions) {
  const { table, where } = planTable(contract, options)
  const findFailing = compileConditions(where)
  const flatten = compileFlattening([table])
  const toTableRow = compileTableRow(table.columns)
  const hasDelivered = readsDelivered([table])
  return ({ record, text, numbers }: ValidatedRecord): { rows: Iterable<TableRow>; issues: readonly Issue[] } => {
    const canonical = record as CanonicalRecord
    if (findFailing(canonical, new Set()) >= 0) return { rows: [], issues: [] }
    // Validation has changed the delivered record into this one.
    const delivered = hasDelivered ? parseAgain(text, { exactNumbers: numbers === 'exact' }) : null
    const { rows, issues } = flatten(canonical, delivered, options.interface)
    return { rows: (rows[0] ?? []).map(toTableRow), issues }
  }
}

function requireValidated(item: ValidatedRecord): void {
  if (typeof item === 'object' && item !== null && 'rawLine' in item && 'contract' in item) return
  throw misuse('flattenRecords', 'the records that validateRecords gives', item)
}

function otherContract(expected: AnyContract, got: AnyContract): CatalogueError {
  return misusedBy('flattenRecords', `records of ${expected.name}`, `one of ${got.name}`)
}

const flattenOptions: OptionKinds<FlattenRecordsOptions> = {
  contract: checkedLater,
  ...tableOptions,
  onReject: aFunction,
}

export interface ColumnsOfOptions extends FlattenRecordsOptions {
  readonly contract: AnyContract | ContractName
}

/**
 * The columns that `flattenRecords` gives with the same options, for `toParquet` and for the header of a CSV file that
 * may have no row. Throws USAGE or CONFIG_INVALID for wrong options.
 */
export function columnsOf<const Options extends ColumnsOfOptions>(
  options: Options & RunTimeNames<Options, ColumnsOfOptions>,
): Column[]
export function columnsOf<
  const Of extends AnyContract | ContractName,
  const Each extends EachName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOfList<Of, Each>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOfList<Of, Each>> = never,
>(options: TypedListOptions<Of, Each, Own, Columns, Excluded> & OtherFlattenOptions): Column[]
export function columnsOf<
  const Of extends AnyContract | ContractName,
  const Name extends TableName<Of>,
  const Own extends AnyLocale = SpecLocale,
  const Columns extends ColumnEntry<TableOf<Of, Name>, Own> = 'all',
  const Excluded extends ExcludeEntry<TableOf<Of, Name>> = never,
>(options: TypedTableOptions<Of, Name, Own, Columns, Excluded> & OtherFlattenOptions): Column[]
export function columnsOf(given: object): Column[] {
  const options = given as ColumnsOfOptions
  requireOptions('columnsOf', options, flattenOptions)
  const { contract, onReject: _onReject, ...table } = options
  return planTable(toContract('columnsOf', contract), table).table.columns.map(
    ({ name, type, list, unit, timezone }) => ({
      name,
      type,
      list,
      ...(unit !== undefined && { unit }),
      ...(timezone !== undefined && { timezone }),
    }),
  )
}
