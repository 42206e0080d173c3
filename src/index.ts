/* `catalogue-etl`: pipelines and contracts. Stages, the sandbox and users are entries of their own. */

export { definePipeline, type TypedPipelineConfig } from './config/define-pipeline.ts'
export type { PipelineConfig } from './config/pipeline-config.ts'
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
export { fetchPipeline, type FetchOptions } from './engine/fetch/fetch-pipeline.ts'
export { runPipeline, type RunOptions } from './engine/run/run-pipeline.ts'
export type { RunProgress } from './engine/run/transform.ts'
export type { RunReport } from './engine/run/run-report.ts'
export type { FileReport } from './loads/state/published-state.ts'
export { CatalogueError, errorDefinitions, exitCodes, type ErrorCode } from './errors.ts'
export type { Column, ColumnType } from './records/flatten/column.ts'
export type { Drift } from './records/drift.ts'
export type { Issue } from './records/reject.ts'
