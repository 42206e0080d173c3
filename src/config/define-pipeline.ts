import type { FilterOf, SortingOf } from '../service/endpoints/check-request.ts'
import type { EndpointName } from '../service/endpoints/endpoints.ts'
import type { ContractName } from '../contracts/contracts.ts'
import type { PipelineConfig } from './pipeline-config.ts'

type Source = PipelineConfig['source']

export interface FileSourceConfig extends Omit<Source, 'contract' | 'endpoint'> {
  endpoint?: undefined
  /** The contract that the records meet. */
  contract: ContractName
}

/** A source that is an endpoint of the service, with the filter and sorting keys of that endpoint. */
export interface EndpointSourceConfig<Name extends EndpointName> extends Omit<
  Source,
  'contract' | 'endpoint' | 'files' | 'filter' | 'sorting'
> {
  files?: undefined
  endpoint: Name
  /** The records to request, by the filter keys of the endpoint. */
  filter?: FilterOf<Name> | undefined
  /** The order: one key of the endpoint. */
  sorting?: SortingOf<Name> | undefined
  /** The contract that the records meet; an endpoint knows its own. */
  contract?: ContractName | undefined
}

/** A `PipelineConfig` whose names of endpoint, contract, filters and sorting the compiler checks. */
export interface TypedPipelineConfig<Name extends EndpointName> extends Omit<PipelineConfig, 'source'> {
  /** The records: files, or an endpoint of the service. */
  source: FileSourceConfig | EndpointSourceConfig<Name>
}

/**
 * The config itself, checked by the compiler: a misspelt name of an endpoint, a contract, a filter key or a sorting does not
 * compile. A config whose names are known at run time only is a `PipelineConfig`, which a run checks all the same.
 */
export function definePipeline<const Name extends EndpointName = never>(
  config: TypedPipelineConfig<Name>,
): PipelineConfig {
  return config
}
