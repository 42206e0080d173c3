import type { Endpoint } from './endpoint.ts'
import { maxCodesPerRequest } from './filter-kinds.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestFilter } from './to-request-filter.ts'

/** A list of identifiers in a filter that every record has to match. */
export interface IdentifierList {
  readonly key: string
  readonly codes: readonly (string | number)[]
  readonly path: readonly (string | number)[]
}

/** The lists of identifiers that all records have to match: all but those under `or` and `not`. */
export function listIdentifiers(endpoint: Endpoint, filter: RequestFilter): IdentifierList[] {
  return findLists(endpoint, filter).filter(({ isFixed }) => !isFixed)
}

/**
 * Filters that together request the same as one filter, each with at most 1000 codes (specification: Limits). A record
 * that several codes of a list match may come with several of them.
 */
export function splitIdentifiers(endpoint: Endpoint, filter: RequestFilter): RequestFilter[] {
  const lists = findLists(endpoint, filter)
  const loose = lists.filter(({ isFixed }) => !isFixed)
  const fixedCodes = lists.filter(({ isFixed }) => isFixed).reduce((sum, { codes }) => sum + codes.length, 0)
  const shares = shareOut(
    loose.map(({ codes }) => codes.length),
    maxCodesPerRequest - fixedCodes,
  )
  return loose.reduce<RequestFilter[]>(
    (filters, list, at) => filters.flatMap((part) => splitList(part, list, shares[at] ?? maxCodesPerRequest)),
    [filter],
  )
}

function findLists(endpoint: Endpoint, filter: RequestFilter): (IdentifierList & { readonly isFixed: boolean })[] {
  return listFilterKeys(endpoint, filter, []).flatMap(({ key, value, path, isFixed }) => {
    if (!Object.hasOwn(endpoint.filters, key) || endpoint.filters[key]?.identifier !== true) return []
    return [{ key, codes: [...new Set([value as string | number].flat())], path, isFixed }]
  })
}

/** How many codes of each list fit into one request: short lists whole, long ones in equal parts. */
function shareOut(lengths: readonly number[], room: number): number[] {
  const shares: number[] = []
  let left = room
  const shortestFirst = lengths.map((length, at) => ({ length, at })).toSorted((a, b) => a.length - b.length)
  for (const [done, { length, at }] of shortestFirst.entries()) {
    const share = Math.max(1, Math.min(length, Math.floor(left / (lengths.length - done))))
    shares[at] = share
    left -= share
  }
  return shares
}

function splitList(filter: RequestFilter, { codes, path }: IdentifierList, share: number): RequestFilter[] {
  if (codes.length <= share) return [filter]
  const parts = Math.ceil(codes.length / share)
  return Array.from({ length: parts }, (_, part) =>
    replaceAt(filter, path, codes.slice(part * share, (part + 1) * share)),
  )
}

function replaceAt<Value>(container: Value, [step, ...rest]: readonly (string | number)[], value: unknown): Value {
  if (step === undefined) return value as Value
  const inner = (container as Record<string | number, unknown>)[step]
  const replaced = replaceAt(inner, rest, value)
  if (Array.isArray(container)) return container.with(Number(step), replaced) as Value
  return { ...container, [step]: replaced }
}

/** A bar code may be in any of these fields, whichever was requested. */
const barCodeFields = ['ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']

const productFields = ['product', 'products']

/** The fields of a record that may hold what a filter key of identifiers requests. */
export function listIdentifierFields(key: string): readonly string[] {
  if (key === 'product') return productFields
  return barCodeFields.includes(key) ? barCodeFields : [key]
}
