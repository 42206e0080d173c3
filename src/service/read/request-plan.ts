import type { ServiceRequest } from '../http/http-call.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { endpoints, type EndpointName } from '../endpoints/endpoints.ts'
import { toReadStrategy } from './read-endpoint.ts'
import { toHttpRequest, type SourceRequest } from '../http/http-request.ts'
import { toFirstPage } from './read-pages.ts'
import type { RequestFilter } from '../endpoints/to-request-filter.ts'

export interface RequestPlan {
  readonly endpoint: string
  readonly filter: unknown
  /** Filters that are requested instead, one after the other. */
  readonly alternatives?: readonly RequestFilter[] | undefined
  readonly sorting: unknown
  readonly page: unknown
  /** A second request for some records by their ids; the result is whole even if the service refuses it. */
  readonly again?: { readonly filter: unknown; readonly ids: number } | undefined
}

/**
 * The first request of a plan, as it is sent. If its filter has more codes than a request may hold, all of them are in
 * it.
 */
export function toFirstRequest(plan: RequestPlan): ServiceRequest {
  const endpoint: Endpoint = endpoints[plan.endpoint as EndpointName]
  const request = toSourceRequest({ ...plan, filter: plan.alternatives?.[0] ?? plan.filter })
  const page = toReadStrategy(endpoint, request) === 'pages' ? toFirstPage(request) : undefined
  return toHttpRequest(endpoint, request, page)
}

export function toSourceRequest({ filter, alternatives, sorting, page }: RequestPlan): SourceRequest {
  return {
    filter: (filter ?? null) as SourceRequest['filter'],
    ...(alternatives && { alternatives }),
    sorting: (sorting ?? null) as SourceRequest['sorting'],
    page: page ?? null,
  }
}
