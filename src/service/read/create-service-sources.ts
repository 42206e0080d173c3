import type { Endpoint } from '../endpoints/endpoint.ts'
import { type EndpointName, endpoints } from '../endpoints/endpoints.ts'
import { CatalogueError } from '../../errors.ts'
import { systemClock } from '../http/clock.ts'
import { sharedRequestBudget } from '../http/request-budget-registry.ts'
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../http/service-client.ts'
import type { Block } from '../../records/block.ts'
import { type RequestPlan, toSourceRequest } from './request-plan.ts'
import { createServiceSource, type ServiceSource, type ServiceSourceOptions } from './service-source.ts'

/** Address and credentials. None of it may be printed. */
export type ServiceAccess = Pick<ServiceClientOptions, 'baseUrl' | 'keyId' | 'keySecret' | 'userAgent' | 'proxy'>

export interface ServiceContext
  extends
    Omit<ServiceClientOptions, keyof ServiceAccess | 'budget' | 'clock' | 'random'>,
    Omit<ServiceSourceOptions, 'now'>,
    Partial<Pick<ServiceClientOptions, 'budget' | 'clock' | 'random'>> {}

export interface ServiceSources {
  readonly sources: readonly ServiceSource[]
  readonly client: ServiceClient
  close(): Promise<void>
}

/** The sources of a plan that reads from the service. Nothing is sent before they are read. */
export function createServiceSources(
  plan: RequestPlan,
  access: ServiceAccess,
  { budget = sharedRequestBudget(access), clock = systemClock, random = Math.random, ...context }: ServiceContext,
): ServiceSources {
  const client = createServiceClient({ ...access, ...context, budget, clock, random })
  const endpoint: Endpoint = endpoints[plan.endpoint as EndpointName]
  const sourceOptions = { ...context, now: clock.now() }
  const source = createServiceSource(endpoint, toSourceRequest(plan), client, sourceOptions)
  const again = plan.again && createSourceByIds(endpoint, { ...plan, again: plan.again }, client, sourceOptions)
  return { sources: [source, ...(again === undefined ? [] : [again])], client, close: () => client.close() }
}

/**
 * Reads records by their ids, at most 1000 a request. Ids without a record do not make the answer incomplete. If the
 * service refuses the request, the source has no lines and its notes give the reason; the rest of the run does not
 * depend on it.
 */
function createSourceByIds(
  endpoint: Endpoint,
  plan: RequestPlan & { readonly again: NonNullable<RequestPlan['again']> },
  client: ServiceClient,
  options: ServiceSourceOptions,
): ServiceSource {
  const { filter, ids } = plan.again
  const request = toSourceRequest({ ...plan, filter })
  const source = createServiceSource(endpoint, request, client, { ...options, partition: undefined })
  const name = `${endpoint.name}, ${ids} ${ids === 1 ? 'record' : 'records'} by id`
  return {
    ...source,
    name,
    read(signal, buffers) {
      const reading = source.read(signal, buffers)
      let refused: string | null = null
      const blocks = async function* (): AsyncGenerator<Block> {
        try {
          yield* reading.blocks
        } catch (error) {
          if (!isRefusal(error)) throw error
          refused = error.message
          options.onWarning?.(`${name}: the run does without them, and the next one reads everything: ${refused}`)
        }
      }
      return {
        ...reading,
        blocks: blocks(),
        completeness: () => (refused === null ? reading.completeness() : { status: 'proven', reasons: [], total: 0 }),
        notes: () => ({ ...reading.notes(), missing: [], ...(refused !== null && { refused }) }),
      }
    },
  }
}

function isRefusal(error: unknown): error is CatalogueError {
  return error instanceof CatalogueError && (error.code === 'SERVICE_REFUSED' || error.code === 'SERVICE_NOT_FOUND')
}
