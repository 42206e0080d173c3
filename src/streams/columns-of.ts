import type { Contract } from '../contracts/contracts.ts'
import type { Column } from '../records/flatten/column.ts'
import type { FlattenRecordsOptions } from './flatten-records.ts'
import { planTable } from './plan-table.ts'

/** The options of `flattenRecords`, with the contract. */
export interface ColumnsOfOptions extends FlattenRecordsOptions {
  readonly contract: Contract
}

/**
 * The columns that `flattenRecords` gives with the same options, for `toParquet`, and for the header of a CSV file that
 * may have no row. Throws CONFIG_INVALID with every problem.
 */
export function columnsOf(options: ColumnsOfOptions): Column[] {
  const { contract, onReject: _onReject, ...table } = options
  return planTable(contract, table).table.columns.map(({ name, type, list, unit, timezone }) => ({
    name,
    type,
    list,
    ...(unit !== undefined && { unit }),
    ...(timezone !== undefined && { timezone }),
  }))
}
