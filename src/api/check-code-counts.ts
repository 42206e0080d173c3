import type { Endpoint } from './endpoint.ts'
import { maxCodesPerRequest } from './filter-kinds.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestProblem } from './request-issues.ts'

/**
 * Lists that cannot be brought down to the 1000 codes of a request (specification: Limits): those of keys that are no
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
