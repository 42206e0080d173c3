import { checkRequest } from '../../service/endpoints/check-request.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { endpoints, type EndpointName } from '../../service/endpoints/endpoints.ts'
import { maxCodesPerRequest } from '../../service/endpoints/filter-kinds.ts'
import { listFilterKeys } from '../../service/endpoints/list-filter-keys.ts'
import { isObject } from '../../records/json/json-values.ts'
import type { Collection } from '../collections/collection.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { toInvalid, type Violation } from './service-error.ts'

export interface ServiceRequest {
  readonly filter?: JsonObject
  readonly sorting?: JsonObject
  readonly page?: { readonly no?: number; readonly size?: number }
}

/**
 * Checks a request by the schemas for configs and by rules for requests alone: required members, date-times in unix
 * seconds, one key per filter object, and at most 1000 identifiers in all. Throws a 422 with every violation.
 */
export function parseRequest(name: EndpointName, request: unknown, collection: Collection): ServiceRequest {
  if (!isObject(request)) throw toInvalid([{ path: '', message: 'expected a JSON object' }])
  const problems = checkRequest(name, request, { now: new Date() }).filter(
    ({ path }) => collection.openKeys?.has(String(path.at(-1))) !== true,
  )
  const violations = problems.map(({ path, message }) => ({ path: path.join('.'), message }))
  // Filters can be searched only if their form is valid.
  if (violations.length === 0) violations.push(...findViolations(endpoints[name], request, collection))
  if (violations.length > 0) throw toInvalid(violations)
  return request
}

function findViolations(endpoint: Endpoint, request: JsonObject, collection: Collection): Violation[] {
  const { filter, sorting } = request
  const missing = (['filter', 'sorting', 'page'] as const).filter(
    (member) => endpoint[member] === 'required' && request[member] === undefined,
  )
  const unknown = Object.keys(request).filter((member) => !['filter', 'sorting', 'page'].includes(member))
  return [
    ...missing.map((path) => ({ path, message: 'expected this member, got nothing' })),
    ...unknown.map((path) => ({ path, message: 'unknown member, expected filter, sorting or page' })),
    ...(isObject(filter) ? findFilterViolations(endpoint, filter, 'filter', collection) : []),
    ...(isObject(sorting) ? findSortingViolations(sorting, collection) : []),
    ...findTooManyCodes(endpoint, filter),
  ]
}

function findFilterViolations(
  endpoint: Endpoint,
  filter: JsonObject,
  path: string,
  collection: Collection,
): Violation[] {
  const keys = Object.keys(filter)
  const found: Violation[] = []
  if (endpoint.combinators && keys.length > 1) {
    found.push({ path, message: `expected one key an object ("and" takes a list), got ${keys.length}` })
  }
  for (const [key, value] of Object.entries(filter)) {
    const at = `${path}.${key}`
    if (endpoint.combinators && key === 'not') {
      found.push(...findFilterViolations(endpoint, value as JsonObject, at, collection))
    } else if (endpoint.combinators && (key === 'and' || key === 'or')) {
      for (const [index, part] of (value as JsonObject[]).entries()) {
        found.push(...findFilterViolations(endpoint, part, `${at}.${index}`, collection))
      }
    } else {
      const message = findKeyProblem(key, value, collection)
      if (message !== undefined) found.push({ path: at, message })
    }
  }
  return found
}

/** Reports undocumented keys, too, although the endpoint table accepts them: the sandbox can't answer them. */
function findKeyProblem(key: string, value: unknown, { filters }: Collection): string | undefined {
  if (!Object.hasOwn(filters, key)) return `unknown filter key, expected one of ${Object.keys(filters).join(', ')}`
  return filters[key]?.findProblem?.(value)
}

function findSortingViolations(sorting: JsonObject, { sortings }: Collection): Violation[] {
  const unknown = Object.keys(sorting).filter((key) => !Object.hasOwn(sortings, key))
  return unknown.map((key) => ({
    path: `sorting.${key}`,
    message: `unknown sorting, expected one of ${Object.keys(sortings).join(', ')}`,
  }))
}

function findTooManyCodes(endpoint: Endpoint, filter: unknown): Violation[] {
  let count = 0
  for (const { key, value } of listFilterKeys(endpoint, filter)) {
    const isIdentifier = Object.hasOwn(endpoint.filters, key) && endpoint.filters[key]?.identifier === true
    if (isIdentifier) count += Array.isArray(value) ? value.length : 1
  }
  if (count <= maxCodesPerRequest) return []
  return [{ path: 'filter', message: `expected at most ${maxCodesPerRequest} identifiers in all, got ${count}` }]
}
