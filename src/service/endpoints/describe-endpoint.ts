import type { ContractName } from '../../contracts/contracts.ts'
import { lazyEntries } from '../../contracts/lazy-entries.ts'
import type { Endpoint, Need, Reading } from './endpoint.ts'
import { endpointNames, endpoints, type EndpointName } from './endpoints.ts'

export interface EndpointDescription<Name extends string = string> {
  /** As configs write it: `v4/products/stream`. */
  readonly name: Name
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The contract of its records; `raw` if the specification does not show their fields. */
  readonly contract: ContractName
  readonly read: Reading
  /** Which members a request has. A required member without a value gets its default. */
  readonly needs: { readonly filter: Need; readonly sorting: Need; readonly page: Need }
  /** The filter keys, each with a sentence on what it accepts. */
  readonly filters: Readonly<Record<string, string>>
  readonly sortings: readonly string[]
  /** What was assumed if the specification shows nothing; null without an assumption. */
  readonly assumption: string | null
  /** The endpoint to use instead; null if it is not deprecated. */
  readonly deprecated: string | null
}

export function describeEndpoint(endpoint: Endpoint): EndpointDescription {
  const { name, method, path, contract, read, filter, sorting, page, filters, sortings, assumption, deprecated } =
    endpoint
  const accepted = Object.entries(filters).map(([key, { accepts }]) => [key, accepts])
  return {
    name,
    method,
    path,
    contract,
    read,
    needs: { filter, sorting, page },
    filters: Object.fromEntries(accepted) as Record<string, string>,
    sortings: Object.keys(sortings),
    assumption: assumption ?? null,
    deprecated: deprecated ?? null,
  }
}

export const endpointDescriptions = lazyEntries(
  Object.fromEntries(endpointNames.map((name) => [name, () => describeEndpoint(endpoints[name])])),
) as { readonly [Name in EndpointName]: EndpointDescription<Name> }
