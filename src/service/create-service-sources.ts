import { systemClock, type Clock } from '../http/clock.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { endpoints, type EndpointName } from '../api/endpoints.ts'
import { toSourceRequest, type RequestPlan } from './request-plan.ts'
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../http/service-client.ts'
import { createSourceByIds } from './source-by-ids.ts'
import { createServiceSource, type ServiceSource, type ServiceSourceOptions } from './service-source.ts'

/** Who asks, and where. No part of it may be printed. */
export type ServiceAccess = Pick<ServiceClientOptions, 'baseUrl' | 'keyId' | 'keySecret' | 'userAgent' | 'proxy'>

export interface ServiceContext
  extends
    Pick<ServiceClientOptions, 'budget' | 'requestsPerMinute' | 'limits' | 'retries' | 'signal'>,
    Omit<ServiceSourceOptions, 'now'> {
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
  { clock = systemClock, random = Math.random, ...context }: ServiceContext,
): ServiceSources {
  const { budget, requestsPerMinute, limits, retries, signal, ...options } = context
  const { onWarning } = options
  const asking = { budget, requestsPerMinute, limits, retries, signal, clock, random, onWarning }
  const client = createServiceClient({ ...access, ...asking })
  const endpoint: Endpoint = endpoints[plan.endpoint as EndpointName]
  const sourceOptions = { ...options, now: clock.now() }
  const source = createServiceSource(endpoint, toSourceRequest(plan), client, sourceOptions)
  const again = plan.again && createSourceByIds(endpoint, { ...plan, again: plan.again }, client, sourceOptions)
  return { sources: [source, ...(again === undefined ? [] : [again])], client, close: () => client.close() }
}
