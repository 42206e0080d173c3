/* `catalogue-etl`: the way in, pipelines, contracts and endpoints. Stages, the sandbox and users are entries of their own. */

export { catalogue, type Catalogue } from './catalogue/catalogue.ts'
export type { CatalogueRecords, RowsOptions } from './catalogue/catalogue-records.ts'
export type { ReadOptions, Where } from './catalogue/read-config.ts'
export type { ReadReport } from './catalogue/read-report.ts'
export { csv, ndjson, parquet, type SinkOptions, type TablesOptions, type TableSink } from './catalogue/table-sinks.ts'
export { service, type RecordSource, type ServiceOptions, type ServiceSource } from './catalogue/record-source.ts'
export type { ForEachOptions, Rows } from './catalogue/rows.ts'
export type { FilterOf, SortingOf } from './service/endpoints/check-request.ts'
export { endpointDescriptions as endpoints, type EndpointDescription } from './service/endpoints/describe-endpoint.ts'
export { endpointNames, isEndpointName, type EndpointName } from './service/endpoints/endpoints.ts'
export { definePipeline } from './config/define-pipeline.ts'
export type { TypedPipelineConfig } from './config/typed-pipeline.ts'
export type { PipelineConfig } from './config/pipeline-config.ts'
export { toContractJsonSchema, type JsonSchema } from './contracts/contract-json-schema.ts'
export {
  contractNames,
  contracts,
  isContractName,
  type Contract,
  type ContractName,
  type NamedContract,
  type RecordOf,
} from './contracts/contracts.ts'
export type * from './contracts/record-types.ts'
export { extendContract, type ExtendedContract } from './contracts/extended/extend-contract.ts'
export type { ExtraFields, ExtraType } from './contracts/extended/extra-fields.ts'
export type { Field, ListField, LocalizedField, ObjectField, ScalarField } from './contracts/fields.ts'
export type { LandingManifest } from './manifest/manifest.ts'
export { fetchPipeline, type FetchOptions } from './engine/fetch/fetch-pipeline.ts'
export {
  readService,
  ServiceLines,
  type ReadServiceOptions,
  type ReadServiceReport,
} from './engine/fetch/read-service.ts'
export { readChanges, type ReadChangesOptions } from './inspect/changes/read-changes.ts'
export type { RecordChange } from './inspect/changes/record-change.ts'
export { runPipeline, type RunOptions } from './engine/run/run-pipeline.ts'
export type { RunProgress } from './engine/run/transform.ts'
export { checkPipeline } from './engine/run/check-config.ts'
export type { CheckConfigOptions as CheckPipelineOptions, ConfigReport } from './plan/plan-pipeline.ts'
export type { Problem } from './config/problem.ts'
export type { FileReport, Manifest as RunReport } from './manifest/manifest.ts'
export { CatalogueError, errorDefinitions, exitCodes, type ErrorCode } from './errors.ts'
export type { Column } from './records/flatten/column.ts'
export type { ColumnType } from './types/column-types.ts'
export type { ColumnPath, RowOf, TableName } from './records/tables/row-of.ts'
export type * from './records/tables/rows.ts'
export type { Issue } from './records/reject.ts'
export type { Completeness } from './manifest/manifest.ts'
export type { Drift } from './manifest/manifest.ts'
