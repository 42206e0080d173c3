import { checkCodeCounts } from '../../service/endpoints/check-request.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { type EndpointName, endpoints } from '../../service/endpoints/endpoints.ts'
import { splitIdentifiers } from '../../service/endpoints/split-identifiers.ts'
import { addCondition, type RequestFilter } from '../../service/endpoints/to-request-filter.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Contract } from '../../contracts/contracts.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { ListedIdentifier, MatchedList, SourceIdsPlan } from './source-ids-plan.ts'
import type { ServiceSourcePlan, SourcePlan } from './source-plan.ts'
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
  if (list?.matched !== undefined) return applyMatched(source, list, list.matched, endpoint)
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

/** A request, or several, for each key: a record that has one of several codes is not asked for by all of them. */
function applyMatched(
  source: ServiceSourcePlan,
  list: IdentifierFile,
  { keys }: MatchedList,
  endpoint: Endpoint,
): AppliedSource {
  const filter = (source.filter ?? {}) as RequestFilter
  const alternatives = keys.flatMap(({ field, identifiers }) => {
    const codes = identifiers.map(({ code }) => code)
    return codes.length === 0 ? [] : [addCondition(filter, { [field]: codes }, endpoint)]
  })
  const requests = alternatives.flatMap((each) => splitIdentifiers(endpoint, each)).length
  const problems: Problem[] = alternatives
    .flatMap((each) => checkCodeCounts(endpoint, each))
    .map(({ message }) => problemAt(['source', 'filter'], message))
  if (source.partition !== null) {
    const message = 'expected no partition beside a list whose lines are matched one by one, got one'
    problems.push(problemAt(['source', 'partition'], message))
  }
  return { plan: { ...source, alternatives, sourceIds: toPlan(list, requests) }, problems }
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
 * service, which were requested by it, are only noted. None if records don't show the identifiers.
 */
export function toListedConditions(
  { counts, identifiers, matched }: IdentifierFile,
  contract: Contract,
  { kind }: Pick<SourcePlan, 'kind'>,
): Condition[] {
  const toListed = (field: string, listed: readonly ListedIdentifier[], key?: string): Condition[] => {
    const [steps, ...otherSteps] = listIdentifierPaths(contract, field)
    if (steps === undefined) return []
    const codes = listed.map(({ code }) => toComparableCode(code))
    return [
      {
        from: field,
        steps,
        ...(otherSteps.length > 0 && { otherSteps }),
        test: { kind: 'listed', codes, ...(kind === 'service' && { isNotedOnly: true }), ...(key && { key }) },
        by: 'sourceIds',
        shown: `${countOf(listed.length, 'identifier')} of ${counts.file}`,
      },
    ]
  }
  if (matched === undefined) return toListed(counts.field, identifiers)
  const groups = matched.keys.map((key) => toListed(key.field, key.identifiers, key.field))
  const shown = `${countOf(identifiers.length, 'identifier')} of ${counts.file}`
  const any = { from: counts.field, steps: [], test: { kind: 'any', of: groups }, by: 'sourceIds', shown } as const
  return [...toNoted(contract), any]
}

/** Notes what a line without a row may have to say of its product. */
function toNoted(contract: Contract): Condition[] {
  return (['status', 'replacement'] as const).flatMap((name): Condition[] => {
    if (contract.fields.get(name)?.kind !== 'scalar') return []
    const steps = [{ kind: 'field', name }] as const
    return [{ from: name, steps, test: { kind: 'noted', as: name }, by: 'sourceIds', shown: '' }]
  })
}
