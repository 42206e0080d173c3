import { checkCodeCounts } from './check-code-counts.ts'
import { checkRanges } from './check-ranges.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints, type EndpointName } from './endpoints.ts'
import type { RequestConfig } from './request-config.ts'
import { toRequestProblems, type RequestProblem } from './request-issues.ts'
import { createRequestSchema } from './request-schema.ts'

const deepest = 100

/**
 * Every problem in the request of a config, in the order of the document; never throws. Relative moments count from
 * `now`, which has to be the one that `toRequestFilter` gets.
 */
export function checkRequest(
  endpointName: EndpointName,
  request: RequestConfig,
  { now }: { readonly now: Date },
): RequestProblem[] {
  const endpoint: Endpoint = endpoints[endpointName]
  if (isDeeperThan(request, deepest)) {
    return [{ path: ['filter'], message: `nested too deeply, expected at most ${deepest} levels` }]
  }
  const { error } = createRequestSchema(endpoint).safeParse(request, { reportInput: true })
  const problems = [
    ...(error?.issues ?? []).flatMap((issue) => toRequestProblems(issue)),
    ...checkRanges(endpoint, request.filter, now),
    ...checkCodeCounts(endpoint, request.filter),
  ]
  return problems.toSorted((left, right) => compareInDocument(left.path, right.path, request))
}

/** Also true of an object that holds itself, as an alias in YAML may. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}

/** By the order of keys in the document; what is missing there comes last in its object. */
function compareInDocument(left: readonly PropertyKey[], right: readonly PropertyKey[], document: object): number {
  let container: unknown = document
  for (const [depth, key] of left.entries()) {
    const other = right[depth]
    if (other === undefined) return 1
    if (key !== other) return positionIn(container, key) - positionIn(container, other)
    container = (container as Record<PropertyKey, unknown> | null | undefined)?.[key]
  }
  return left.length - right.length
}

function positionIn(container: unknown, key: PropertyKey): number {
  if (typeof container !== 'object' || container === null) return 0
  const position = Object.keys(container).indexOf(String(key))
  return position === -1 ? Number.MAX_SAFE_INTEGER : position
}
