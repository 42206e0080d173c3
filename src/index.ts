/* The public API: what other programs may rely on. */

export { definePipeline } from './config/define-pipeline.ts'
export type { PipelineConfig } from './config/pipeline-schema.ts'
export { toContractJsonSchema, type JsonSchema } from './contracts/contract-json-schema.ts'
export {
  contractNames,
  contracts,
  isContractName,
  type Contract,
  type ContractName,
  type RecordOf,
} from './contracts/contracts.ts'
export type { Field, ListField, LocalizedField, ObjectField, ScalarField } from './contracts/fields.ts'
export type { Completeness } from './sources/completeness.ts'
export type { LandingManifest } from './sources/landing-manifest.ts'
export { fetchPipeline, type FetchOptions } from './engine/reading/fetch-source.ts'
export { runPipeline, type RunOptions } from './engine/run/run-pipeline.ts'
export type { RunProgress } from './engine/run/run-progress.ts'
export type { FileReport, RunReport } from './engine/run/run-report.ts'
export { CatalogueError, errorDefinitions, exitCodes, type ErrorCode } from './errors.ts'
export type { Column, ColumnType } from './records/flatten/column.ts'
export type { Drift } from './records/drift.ts'
export type { Issue } from './records/issue.ts'
export {
  startSandbox,
  type InjectOptions,
  type Sandbox,
  type SandboxChange,
  type SandboxOptions,
  type SandboxRequest,
} from './sandbox.ts'
export { columnsOf, type ColumnsOfOptions } from './streams/columns-of.ts'
export { flattenRecords, type FlattenRecordsOptions } from './streams/flatten-records.ts'
export { JsonCell } from './streams/json-cell.ts'
export {
  parseRecords,
  type DeliveredRecord,
  type InvalidLine,
  type ParsedRecord,
  type ParseRecordsOptions,
} from './streams/parse-records.ts'
export type { TableOptions } from './streams/plan-table.ts'
export type { OnReject, RejectedLine } from './streams/rejected-line.ts'
export type { ColumnChoice } from './streams/row-cells.ts'
export type { RowOf } from './streams/row-of.ts'
export { splitLines, type NumberedLine, type SplitLinesOptions } from './streams/split-lines.ts'
export type { Stage } from './streams/stage.ts'
export type { RowScalar, RowValue, TableRow } from './streams/table-row.ts'
export { toCsv, type ToCsvOptions } from './streams/to-csv.ts'
export { toNdjson, type ToNdjsonOptions } from './streams/to-ndjson.ts'
export { toParquet, type ToParquetOptions } from './streams/to-parquet.ts'
export { trackCompleteness, type TrackCompletenessOptions } from './streams/track-completeness.ts'
export { validateRecords, type ValidatedRecord, type ValidateRecordsOptions } from './streams/validate-records.ts'
export {
  createUsers,
  type CreateUsersOptions,
  type CreateUsersReport,
  type UsersProgress,
} from './users/create-users.ts'
export { InvalidUserRows, planUsers, type PlannedUser, type UserFileOptions } from './users/plan-users.ts'
export type { UserFileFormat } from './users/read-user-rows.ts'
export type { UserFailure, UserResult } from './users/user-result.ts'
export type { RowProblem } from './users/user-row.ts'
export type { UserService } from './users/user-service.ts'
