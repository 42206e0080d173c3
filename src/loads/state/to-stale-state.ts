import type { SourcePlan } from '../../plan/pipeline-plan.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { endpoints, isEndpointName } from '../../api/endpoints.ts'
import type { PublishedState } from './published-state.ts'
import type { StaleEnd } from './stale-records.ts'

/** Stale records as the state has them, and why the next run has to read everything because of them. */
export interface StaleState {
  readonly stale: NonNullable<PublishedState['stale']>
  readonly needsFull: string | null
}

/** Ids that are remembered at most: ten requests. */
const mostStaleIds = 10_000

/**
 * The next run asks for stale records by their ids. Where that can't be done, or there are more than are worth it, it reads
 * everything. `refused` says that the service did not answer such a request.
 */
export function toStaleState(source: SourcePlan, { ids, linesWithoutId }: StaleEnd, refused: boolean): StaleState {
  const records = ids.length + linesWithoutId
  // Files are read whole every time.
  if (source.kind === 'files') return { stale: { records, ids: [] }, needsFull: null }
  const needsFull = explainFull(source.endpoint, ids, linesWithoutId, refused)
  return { stale: { records, ids: needsFull === null ? [...ids] : [] }, needsFull }
}

function explainFull(
  endpointName: string,
  ids: readonly string[],
  linesWithoutId: number,
  refused: boolean,
): string | null {
  if (linesWithoutId > 0)
    return `the last run had ${linesWithoutId} rejected ${linesWithoutId === 1 ? 'line' : 'lines'} whose id can't be read`
  if (ids.length > mostStaleIds)
    return `the last run left ${ids.length} records that were rejected, more than ${mostStaleIds}`
  const unaskable = ids.filter((id) => !canAskFor(endpointName, id)).length
  if (unaskable > 0) return `${endpointName} can't be asked for ${unaskable} of the records that were rejected`
  if (refused && ids.length > 0) return 'the service refused to be asked for records by their ids'
  return null
}

/** Only where the specification shows the filter `id`, and for ids that it takes: others might be refused. */
function canAskFor(endpointName: string, id: string): boolean {
  if (!isEndpointName(endpointName)) return false
  const { asksById, filters }: Endpoint = endpoints[endpointName]
  return asksById === true && filters['id']?.schema.safeParse(id).success === true
}
