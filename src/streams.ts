/* `catalogue-etl/streams`: the steps of a run as Node streams, and what they are given. */

export {
  contracts,
  type AnyContract,
  type Contract,
  type ContractName,
  type NamedContract,
  type RecordOf,
} from './contracts/contracts.ts'
export type * from './contracts/record-types.ts'
export type * from './records/tables/rows.ts'
export { extendContract, type ExtendedContract } from './contracts/extended/extend-contract.ts'
export type { ExtraFields, ExtraType } from './contracts/extended/extra-fields.ts'
export type { StandardSchema } from './contracts/standard-schema.ts'
export { CatalogueError, type ErrorCode } from './errors.ts'
export type { Column } from './records/flatten/column.ts'
export type { ColumnType } from './types/column-types.ts'
export type { Issue } from './records/reject.ts'

export {
  columnsOf,
  flattenRecords,
  type ColumnsOfOptions,
  type FlattenRecordsOptions,
} from './streams/flatten-records.ts'
export { fromRecords, type KeyedValue } from './streams/from-records.ts'
export {
  parseRecords,
  type DeliveredRecord,
  type InvalidLine,
  type ParsedRecord,
  type ParseRecordsOptions,
} from './streams/parse-records.ts'
export type { TableOptions } from './streams/plan-table.ts'
export { readRows, type ReadRowsOptions } from './streams/read-rows.ts'
export type { OnReject, RejectedLine } from './streams/rejected-line.ts'
export type { ColumnChoice } from './streams/column-choice.ts'
export type { Locale, SpecLocale } from './records/tables/locale.ts'
export type { ColumnPath, RowOf, TableName } from './records/tables/row-of.ts'
export { splitLines, type NumberedLine, type SplitLinesOptions } from './streams/split-lines.ts'
export type { Stage } from './streams/stage.ts'
export type { TableRow } from './records/tables/row-of.ts'
export type { RowValue } from './records/tables/table-shape.ts'
export type { RowScalar } from './types/column-type-definition.ts'
export { JsonCell } from './types/json-cell.ts'
export { toCsv, toNdjson, type ToCsvOptions, type ToNdjsonOptions } from './streams/to-text.ts'
export { toParquet, type ToParquetOptions } from './streams/to-parquet.ts'
export { trackCompleteness, type TrackCompletenessOptions } from './streams/track-completeness.ts'
export { validateRecords, type ValidatedRecord, type ValidateRecordsOptions } from './streams/validate-records.ts'
export type { Drift } from './manifest/manifest.ts'
export type { Completeness } from './manifest/manifest.ts'
