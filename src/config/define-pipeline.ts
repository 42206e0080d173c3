import type { ContractName } from '../contracts/contracts.ts'
import type { ExtraFields } from '../contracts/extended/extra-fields.ts'
import type { AnyLocale, SpecLocale } from '../records/tables/locale.ts'
import type { TableName } from '../records/tables/row-of.ts'
import type { EndpointName } from '../service/endpoints/endpoints.ts'
import type { PipelineConfig } from './pipeline-config.ts'
import type { ContractOf, TypedPipelineConfig } from './typed-pipeline.ts'

/**
 * The config itself, checked by the compiler: a misspelt name of an endpoint, a contract, a filter key, a sorting, a field, a
 * table, a column or a locale does not compile. A config whose names are known at run time only is a `PipelineConfig`, which a
 * run checks all the same.
 */
export function definePipeline<
  const Name extends EndpointName = never,
  const Contract extends ContractName = never,
  const Extra extends ExtraFields = never,
  const Own extends AnyLocale = SpecLocale,
  const Tables extends string = TableName<ContractOf<Name, Contract, Extra>>,
  const Named extends string = never,
>(config: TypedPipelineConfig<Name, Contract, Extra, Own, Tables, Named>): PipelineConfig
export function definePipeline(config: object): PipelineConfig {
  return config as PipelineConfig
}
