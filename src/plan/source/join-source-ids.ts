import { addIdentifiers } from '../../api/add-identifiers.ts'
import { checkCodeCounts } from '../../api/check-code-counts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { endpoints, type EndpointName } from '../../api/endpoints.ts'
import { splitIdentifiers } from '../../api/split-identifiers.ts'
import type { RequestFilter } from '../../api/to-request-filter.ts'
import type { SourceIdsPlan, SourcePlan } from '../pipeline-plan.ts'
import type { IdentifierFile } from './plan-source-ids.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

export interface JoinedSource {
  readonly plan: SourcePlan
  readonly problems: readonly Problem[]
}

/** The source with a list of identifiers in its filter; a problem where all that can't be asked for together. */
export function joinSourceIds(source: SourcePlan, list: IdentifierFile | null): JoinedSource {
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
  return addIdentifiers(endpoint, filter, list.counts.field, codes)
}
