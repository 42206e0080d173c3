import { systemClock, type Clock } from './clock.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints, type EndpointName } from './endpoints.ts'
import type { SourceRequest } from './http-request.ts'
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from './service-client.ts'
import { createServiceSource, type ServiceSource, type ServiceSourceOptions } from './service-source.ts'

/** What a plan says of a request, checked and in the form in which it is sent. */
export interface RequestPlan {
  readonly endpoint: string
  readonly filter: unknown
  readonly sorting: unknown
  readonly page: unknown
}

/** Who asks, and where. No part of it may be printed. */
export type ServiceAccess = Pick<ServiceClientOptions, 'baseUrl' | 'keyId' | 'keySecret' | 'userAgent'>

export interface ServiceContext
  extends Pick<ServiceClientOptions, 'budget' | 'limits' | 'retries' | 'signal'>, Omit<ServiceSourceOptions, 'now'> {
  readonly clock?: Clock
  readonly random?: () => number
}

export interface ServiceSources {
  readonly sources: readonly ServiceSource[]
  /** For other requests with the same key. */
  readonly client: ServiceClient
  /** Closes every connection. */
  close(): Promise<void>
}

/** The sources of a plan that reads from the service; nothing is sent before they are read. */
export function createServiceSources(
  plan: RequestPlan,
  access: ServiceAccess,
  { budget, limits, retries, signal, clock = systemClock, random = Math.random, ...options }: ServiceContext,
): ServiceSources {
  const { onTrouble } = options
  const client = createServiceClient({ ...access, budget, limits, retries, signal, clock, random, onTrouble })
  const endpoint: Endpoint = endpoints[plan.endpoint as EndpointName]
  const request: SourceRequest = {
    filter: (plan.filter ?? null) as SourceRequest['filter'],
    sorting: (plan.sorting ?? null) as SourceRequest['sorting'],
    page: plan.page as SourceRequest['page'],
  }
  const source = createServiceSource(endpoint, request, client, { ...options, now: clock.now() })
  return { sources: [source], client, close: () => client.close() }
}
