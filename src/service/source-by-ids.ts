import { CatalogueError } from '../errors.ts'
import type { Block } from '../records/block.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { toSourceRequest, type RequestPlan } from './request-plan.ts'
import type { ServiceClient } from '../http/service-client.ts'
import { createServiceSource, type ServiceSource, type ServiceSourceOptions } from './service-source.ts'

/**
 * Records by their ids, at most 1000 a request. Those that don't come are no fault of the answer. Where the service
 * refuses the request, the source has no lines, and its notes say so: what else a run reads is whole without it.
 */
export function createSourceByIds(
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
    read(signal) {
      const reading = source.read(signal)
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

/** The request itself was refused: no repetition of it helps. */
function isRefusal(error: unknown): error is CatalogueError {
  return error instanceof CatalogueError && (error.code === 'SERVICE_REFUSED' || error.code === 'SERVICE_NOT_FOUND')
}
