import { dateTime, type DateTime, type RequestClock, toLastUnixSecond, toUnixSeconds } from './date-time.ts'
import type { Direction, Endpoint } from './endpoint.ts'
import type { Endpoints, Variable } from './endpoint-types.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { maxCodesPerRequest } from './filter-kinds.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import { checkOpenNames, listMarketKeys, type MarketKey } from './open-keys.ts'
import { type RequestProblem, toRequestProblems } from './request-issues.ts'
import { createRequestSchema } from './request-schema.ts'

const deepest = 100

/**
 * Every problem in the request of a config, in the order of the document; never throws. Takes the clock that
 * `toRequestFilter` will get.
 */
export function checkRequest(
  endpointName: EndpointName,
  request: RequestConfig,
  clock: RequestClock,
): RequestProblem[] {
  const endpoint: Endpoint = endpoints[endpointName]
  if (isDeeperThan(request, deepest)) {
    return [{ path: ['filter'], message: `nested too deeply, expected at most ${deepest} levels` }]
  }
  const { filter, sorting } = request
  const schema = createRequestSchema(endpoint, listMarketKeys(endpoint, filter, sorting))
  const { error } = schema.safeParse(request, { reportInput: true })
  const problems = [
    ...(error?.issues ?? []).flatMap((issue) => toRequestProblems(issue)),
    ...checkOpenNames(endpoint, filter, sorting),
    ...checkRanges(endpoint, filter, clock),
    ...checkCodeCounts(endpoint, filter),
  ]
  return problems.toSorted((left, right) => compareInDocument(left.path, right.path, request))
}

/** Also true of an object that contains itself, which an alias in YAML can make. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}

/** By the order of keys in the document; a missing key comes last in its object. */
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

function checkRanges(endpoint: Endpoint, filter: unknown, clock: RequestClock): RequestProblem[] {
  return listFilterKeys(endpoint, filter).flatMap(({ key, value, path }) => {
    if (!Object.hasOwn(endpoint.filters, key) || endpoint.filters[key]?.hasRange !== true) return []
    const { from, until } = (value ?? {}) as { readonly from?: unknown; readonly until?: unknown }
    if (!isDateTime(from) || !isDateTime(until)) return []
    const [first, last] = [toUnixSeconds(from, clock), toLastUnixSecond(until, clock)]
    if (first <= last) return []
    const message = `expected a date-time that is not before "from", which is ${show(first)}, got ${show(last)}`
    return [{ path: [...path, 'until'], message }]
  })
}

function isDateTime(value: unknown): value is DateTime {
  return dateTime().safeParse(value).success
}

function show(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}

/**
 * The lists that can't be split to fit the 1000 codes of a request (specification: Limits): lists of keys that are no
 * identifiers, and identifiers under `or` and `not`, which count together. Identifiers elsewhere may be of any number.
 */
export function checkCodeCounts(endpoint: Endpoint, filter: unknown): RequestProblem[] {
  const problems: RequestProblem[] = []
  let fixedIdentifiers = 0
  let hasLoose = false
  for (const { key, value, path, isFixed } of listFilterKeys(endpoint, filter)) {
    if (!Object.hasOwn(endpoint.filters, key)) continue
    const count = Array.isArray(value) ? value.length : 1
    const identifier = endpoint.filters[key]?.identifier === true
    if (!identifier && count > maxCodesPerRequest) {
      problems.push({ path, message: `expected at most ${maxCodesPerRequest} values, got ${count}` })
    }
    if (identifier && !isFixed) hasLoose = true
    if (!identifier || !isFixed) continue
    const before = fixedIdentifiers
    fixedIdentifiers += count
    if (before <= maxCodesPerRequest && fixedIdentifiers > maxCodesPerRequest) {
      const expected = `expected at most ${maxCodesPerRequest} codes in all under "or" and "not"`
      problems.push({ path, message: `${expected}, which cannot be split over requests, got ${fixedIdentifiers}` })
    }
  }
  if (hasLoose && fixedIdentifiers === maxCodesPerRequest) {
    const expected = `expected at most ${maxCodesPerRequest - 1} codes in all under "or" and "not" beside other codes`
    problems.push({ path: ['filter'], message: `${expected}, got ${fixedIdentifiers}` })
  }
  return problems
}

export interface RequestConfig {
  readonly filter?: unknown
  readonly sorting?: unknown
  readonly page?: unknown
}

/** The contract that the records of an endpoint meet. */
export type ContractOfEndpoint<Name extends EndpointName> = Endpoints[Name]['contract']

interface Combinators<Filter> {
  readonly and?: readonly Filter[]
  readonly or?: readonly Filter[]
  readonly not?: Filter
}

/** The filter that a config may give for an endpoint: any number of keys in one object, nested to any depth. */
export type FilterOf<Name extends EndpointName> = Endpoints[Name]['filters'] &
  (Endpoints[Name]['combinators'] extends true ? Combinators<FilterOf<Name>> : unknown) &
  Open<Name, unknown>

/** The sorting that a config may give for an endpoint: one object with one key. */
export type SortingOf<Name extends EndpointName> = Endpoints[Name]['sortings'] &
  (Endpoints[Name]['openSortings'] extends true ? Open<Name, AnyDirection | Variable> : unknown)

type Open<Name extends EndpointName, Value> = Endpoints[Name]['openKeys'] extends infer Keys
  ? Keys extends true
    ? Readonly<Record<string, Value>>
    : Keys extends 'markets'
      ? { readonly [Key in MarketKey]?: Value }
      : unknown
  : never

type AnyDirection = Direction | { readonly direction: Direction; readonly locale: string }
