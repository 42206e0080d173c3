import type { Contract } from '../../contracts/contracts.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { RequestClock } from '../../service/endpoints/date-time.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { endpoints, isEndpointName } from '../../service/endpoints/endpoints.ts'
import { listFilterKeys } from '../../service/endpoints/list-filter-keys.ts'
import { toRequestFilter } from '../../service/endpoints/to-request-filter.ts'
import { showCondition } from '../conditions/plan-conditions.ts'
import { closest } from '../../text/choices.ts'
import { applySourceIds } from '../source/apply-source-ids.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { IncrementalPlan } from './stateful-plan.ts'
import type { ServiceSourcePlan, SourcePlan } from '../source/source-plan.ts'
import type { IdentifierFile } from '../source/plan-source-ids.ts'
import { toRoot } from '../records/plan-tables.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import { describeField, isPathProblem, resolvePath } from '../records/resolve-path.ts'

type IncrementalConfig = NonNullable<CompletePipelineConfig['incremental']>
type Filter = Readonly<Record<string, unknown>>

/** Default cursor: the field with the time of a record's last change. */
const usualCursor = 'meta.updatedAt'

/** The configured cursor, or the usual one if the contract has it. */
export function chooseCursor(config: IncrementalConfig | undefined, contract: Contract): string | null {
  if (config !== undefined) return config.cursor
  return isPathProblem(resolvePath(toRoot(contract), usualCursor)) ? null : usualCursor
}

export function planIncremental(
  { overlap, fullEvery }: IncrementalConfig,
  filter: Filter | undefined,
  source: SourcePlan,
  list: IdentifierFile | null,
  clock: RequestClock,
): IncrementalPlan {
  const spans = { overlapMs: overlap, fullEveryMs: fullEvery }
  if (source.kind === 'files' || !isEndpointName(source.endpoint)) return { ...spans, filter: null, where: [] }
  const wide = filter === undefined ? null : withoutStatus(filter)
  const requested = wide === null ? {} : toRequestFilter(source.endpoint, wide.filter, clock)
  const delta: ServiceSourcePlan = { ...source, filter: requested, sourceIds: null }
  const joined = applySourceIds(delta, list).plan as ServiceSourcePlan
  return { ...spans, filter: joined.filter, where: (wide?.statuses ?? []).map(toCondition) }
}

/** Problems of reading a source in deltas. Runs over files are always full. */
export function checkIncremental(
  { cursor }: IncrementalConfig,
  { endpoint: name, filter }: Pick<CompletePipelineConfig['source'], 'endpoint' | 'filter'>,
  contract: Contract | null,
): Problem[] {
  const problems = contract === null ? [] : checkCursor(cursor, contract)
  if (name === undefined || !isEndpointName(name)) return problems
  const endpoint: Endpoint = endpoints[name]
  if (!knowsDeltas(endpoint)) {
    const able = Object.values<Endpoint>(endpoints).filter(knowsDeltas)
    const names = able.map((each) => each.name)
    const message = `incremental: expected an endpoint that can be asked for changes, one of ${names.join(', ')}, got ${name}`
    return [...problems, { ...problemAt(['incremental'], message), atKey: true }]
  }
  return [...problems, ...listFilterKeys(endpoint, filter).flatMap(checkKey)]
}

function knowsDeltas({ read, filters }: Endpoint): boolean {
  return read === 'stream' && Object.hasOwn(filters, 'updatedSince')
}

function checkKey({ key, path, isFixed }: ReturnType<typeof listFilterKeys>[number]): Problem[] {
  const at = ['source', ...path]
  if (key === 'updatedSince')
    return [
      { ...problemAt(at, 'updatedSince: expected it not to be set beside incremental, which sets it'), atKey: true },
    ]
  if (key !== 'status' || !isFixed) return []
  const message =
    'status: expected it at the top of the filter with incremental, as deltas ask for all statuses, got it inside or or not'
  return [{ ...problemAt(at, message), atKey: true }]
}

function checkCursor(cursor: string, contract: Contract): Problem[] {
  const path = ['incremental', 'cursor']
  const resolved = resolvePath(toRoot(contract), cursor)
  if (isPathProblem(resolved)) {
    const suggestion = resolved.suggestion ?? closest(cursor, [usualCursor])
    return [problemAt(path, `cursor: ${resolved.message}`, suggestion)]
  }
  const { field, steps } = resolved
  if (field.kind === 'scalar' && field.type === 'timestamp' && steps.every(({ kind }) => kind === 'field')) return []
  return [problemAt(path, `cursor: expected the path of one timestamp, got "${cursor}", ${describeField(field)}`)]
}

function withoutStatus(filter: Filter): { readonly filter: Filter; readonly statuses: readonly unknown[] } {
  const { status, and, ...rest } = filter
  const parts = Array.isArray(and) ? (and as Filter[]).map(withoutStatus) : []
  const kept = parts.filter((part) => Object.keys(part.filter).length > 0).map((part) => part.filter)
  return {
    filter: { ...rest, ...(kept.length > 0 && { and: kept }) },
    statuses: [...(status === undefined ? [] : [status]), ...parts.flatMap(({ statuses }) => statuses)],
  }
}

function toCondition(status: unknown): Condition {
  const values = [status].flat() as string[]
  const steps = [{ kind: 'field', name: 'status' }] as const
  return { from: 'status', steps, test: { kind: 'in', values }, by: 'source.filter', shown: showCondition(values) }
}
