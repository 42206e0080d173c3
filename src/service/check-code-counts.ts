import type { Endpoint } from './endpoint.ts'
import { maxCodesPerRequest } from './filter-kinds.ts'
import type { RequestProblem } from './request-issues.ts'

interface CodeList {
  readonly path: (string | number)[]
  readonly count: number
  readonly identifier: boolean
  /** Under `or` or `not`, where parts of the list asked for one by one do not add up to the whole. */
  readonly fixed: boolean
}

/**
 * Lists that cannot be brought down to the 1000 codes of a request (specification: Limits): those of keys that are no
 * identifiers, and identifiers under `or` and `not`, which count together. Identifiers elsewhere may be of any number.
 */
export function checkCodeCounts(endpoint: Endpoint, filter: unknown): RequestProblem[] {
  const problems: RequestProblem[] = []
  let fixedIdentifiers = 0
  for (const { path, count, identifier, fixed } of listCodes(endpoint, filter, ['filter'], false)) {
    if (!identifier && count > maxCodesPerRequest) {
      problems.push({ path, message: `expected at most ${maxCodesPerRequest} values, got ${count}` })
    }
    if (!identifier || !fixed) continue
    const before = fixedIdentifiers
    fixedIdentifiers += count
    if (before <= maxCodesPerRequest && fixedIdentifiers > maxCodesPerRequest) {
      const expected = `expected at most ${maxCodesPerRequest} codes in all under "or" and "not"`
      problems.push({ path, message: `${expected}, which cannot be split over requests, got ${fixedIdentifiers}` })
    }
  }
  return problems
}

function listCodes(endpoint: Endpoint, filter: unknown, path: (string | number)[], fixed: boolean): CodeList[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return []
  return Object.entries(filter).flatMap(([key, value]: [string, unknown]) => {
    const at = [...path, key]
    if (endpoint.combinators && key === 'not') return listCodes(endpoint, value, at, true)
    if (endpoint.combinators && (key === 'and' || key === 'or')) {
      const parts: unknown[] = Array.isArray(value) ? value : []
      return parts.flatMap((part, index) => listCodes(endpoint, part, [...at, index], fixed || key === 'or'))
    }
    if (!Object.hasOwn(endpoint.filters, key)) return []
    const count = Array.isArray(value) ? value.length : 1
    return [{ path: at, count, identifier: endpoint.filters[key]?.identifier === true, fixed }]
  })
}
