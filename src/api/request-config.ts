import type { z } from 'zod'
import type { endpoints, EndpointName } from './endpoints.ts'

/** What a config says of a request, before it is checked. */
export interface RequestConfig {
  readonly filter?: unknown
  readonly sorting?: unknown
  readonly page?: unknown
}

type EndpointOf<Name extends EndpointName> = (typeof endpoints)[Name]

type Inputs<Schemas> = { readonly [Key in keyof Schemas]?: z.input<Extract<Schemas[Key], z.ZodType>> }

type SchemasOf<Filters> = {
  readonly [Key in keyof Filters]: Filters[Key] extends { readonly schema: infer Schema } ? Schema : never
}

interface Combinators<Filter> {
  readonly and?: readonly Filter[]
  readonly or?: readonly Filter[]
  readonly not?: Filter
}

/** The filter that a config may give for an endpoint: any number of keys in one object, nested to any depth. */
export type FilterOf<Name extends EndpointName> = Inputs<SchemasOf<EndpointOf<Name>['filters']>> &
  (EndpointOf<Name>['combinators'] extends true ? Combinators<FilterOf<Name>> : unknown) &
  (EndpointOf<Name>['openKeys'] extends false ? unknown : Readonly<Record<string, unknown>>)

/** The sorting that a config may give for an endpoint: one object with one key. */
export type SortingOf<Name extends EndpointName> = Inputs<EndpointOf<Name>['sortings']>
