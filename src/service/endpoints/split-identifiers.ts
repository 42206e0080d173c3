import type { Endpoint } from './endpoint.ts'
import { maxCodesPerRequest } from './filter-kinds.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestFilter } from './to-request-filter.ts'

/** A list of identifiers in a filter, which every record has to match. */
export interface IdentifierList {
  /** The filter key: `cnk`. */
  readonly key: string
  /** Each once, in the order given. */
  readonly codes: readonly (string | number)[]
  /** Its place in the filter. */
  readonly path: readonly (string | number)[]
}

/** The lists of identifiers that all records have to match: not those under `or` and `not`. */
export function listIdentifiers(endpoint: Endpoint, filter: RequestFilter): IdentifierList[] {
  return findLists(endpoint, filter).filter(({ isFixed }) => !isFixed)
}

/**
 * The filters that together ask for the same as one filter, each with at most 1000 codes in all (specification:
 * Limits). A record that several of a list's codes match may come in several.
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

/** The numbers of codes of each list that fit into one request: the short lists whole, the long ones in equal parts. */
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

/** A list that fits stays as it is written. */
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

/** A bar code may be delivered in any of its fields, whichever of them is asked for. */
const barCodeFields = ['ean', 'gtin', 'eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']

/** News items and media have a list of the products that they are about. */
const productFields = ['product', 'products']

/** The fields of a record that may hold what a filter key of identifiers asks for. */
export function listIdentifierFields(key: string): readonly string[] {
  if (key === 'product') return productFields
  return barCodeFields.includes(key) ? barCodeFields : [key]
}
