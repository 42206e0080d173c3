import { checkCodeCounts } from '../../service/endpoints/check-request.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { type EndpointName, endpoints } from '../../service/endpoints/endpoints.ts'
import { splitIdentifiers } from '../../service/endpoints/split-identifiers.ts'
import { addCondition, type RequestFilter } from '../../service/endpoints/to-request-filter.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Contract } from '../../contracts/contracts.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { SourceIdsPlan } from './source-ids-plan.ts'
import type { SourcePlan } from './source-plan.ts'
import { listIdentifierPaths } from './plan-list-key.ts'
import type { IdentifierFile } from './plan-source-ids.ts'
import { countOf } from '../../text/format-count.ts'

export interface AppliedSource {
  readonly plan: SourcePlan
  readonly problems: readonly Problem[]
}

/**
 * Adds a list of identifiers to the filter of a source; returns a problem if the service can't be asked for all that
 * together.
 */
export function applySourceIds(source: SourcePlan, list: IdentifierFile | null): AppliedSource {
  if (source.kind === 'files') return { plan: { ...source, sourceIds: list && toPlan(list, 0) }, problems: [] }
  const endpoint = endpoints[source.endpoint as EndpointName]
  const filter = toFilter(endpoint, source.filter as RequestFilter | null, list)
  const requests = splitIdentifiers(endpoint, filter ?? {}).length
  const problems: Problem[] = checkCodeCounts(endpoint, filter).map(({ message }) =>
    problemAt(['source', 'filter'], message),
  )
  if (source.partition !== null && requests > 1)
    problems.push(problemAt(['source', 'partition'], 'expected at most 1000 codes beside a partition, got more'))
  if (list === null) return { plan: source, problems }
  return { plan: { ...source, filter, sourceIds: toPlan(list, requests) }, problems }
}

function toPlan({ counts, ...entries }: IdentifierFile, requests: number): SourceIdsPlan {
  return { summary: { ...counts, requests }, ...entries }
}

function toFilter(endpoint: Endpoint, filter: RequestFilter | null, list: IdentifierFile | null): RequestFilter | null {
  if (list === null) return filter
  const codes = list.identifiers.map(({ code }) => code)
  return addCondition(filter ?? {}, { [list.counts.field]: codes }, endpoint)
}

/**
 * The condition that a record has an identifier of the list. Records of files are filtered by it; records of the
 * service, which were requested by it, are only noted. Null if records don't show the identifiers.
 */
export function toListedCondition(
  { counts, identifiers }: IdentifierFile,
  contract: Contract,
  { kind }: Pick<SourcePlan, 'kind'>,
): Condition | null {
  const [steps, ...otherSteps] = listIdentifierPaths(contract, counts.field)
  if (steps === undefined) return null
  const codes = identifiers.map(({ code }) => toComparableCode(code))
  return {
    from: counts.field,
    steps,
    ...(otherSteps.length > 0 && { otherSteps }),
    test: { kind: 'listed', codes, ...(kind === 'service' && { isNotedOnly: true }) },
    by: 'sourceIds',
    shown: `${countOf(identifiers.length, 'identifier')} of ${counts.file}`,
  }
}
