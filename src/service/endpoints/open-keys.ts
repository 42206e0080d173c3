import { closest } from '../../text/choices.ts'
import type { Endpoint } from './endpoint.ts'
import { listFilterKeys } from './list-filter-keys.ts'
import type { RequestProblem } from './request-issues.ts'
import { isObject } from '../../records/json/json-values.ts'

/** Keys of other markets that consumers have been seen to filter and sort products by, apart from `snomed…`. */
export const marketKeys = [
  'cipOrAcl7',
  'cip13',
  'acl13',
  'pzn',
  'artgId',
  'pbs',
  'snomedCode',
  'gs1Category',
  'productFamilies',
] as const

export type MarketKey = (typeof marketKeys)[number] | `snomed${string}`

interface OpenName {
  readonly name: string
  readonly path: (string | number)[]
  readonly listed: readonly string[]
  /** Why the name may be right all the same, for users. */
  readonly reason: string
}

export function listMarketKeys(endpoint: Endpoint, filter: unknown, sorting: unknown): string[] {
  if (endpoint.openKeys !== 'markets') return []
  return [...listFilterKeys(endpoint, filter).map(({ key }) => key), ...keysOf(sorting)].filter(isMarketKey)
}

/** Reports names that are close to a listed one: they are misspelt rather than missing in the specification. */
export function checkOpenNames(endpoint: Endpoint, filter: unknown, sorting: unknown): RequestProblem[] {
  return listOpenNames(endpoint, filter, sorting).flatMap(({ name, path, listed }) => {
    const suggestion = closest(name, listed)
    if (suggestion === undefined || isMarketKey(name)) return []
    return [{ path, message: `unknown name "${name}", which is close to one that is known`, suggestion }]
  })
}

export function noteOpenNames(endpoint: Endpoint, filter: unknown, sorting: unknown): RequestProblem[] {
  return listOpenNames(endpoint, filter, sorting).map(({ name, path, reason }) => {
    return { path, message: `"${name}" is sent unchecked, as ${reason}`, isUnchecked: true }
  })
}

function listOpenNames(endpoint: Endpoint, filter: unknown, sorting: unknown): OpenName[] {
  const filterKeys = Object.keys(endpoint.filters)
  const uses = listFilterKeys(endpoint, filter)
  const inFilter = uses.flatMap(({ key, path }) => listOpenKey(endpoint, key, path, filterKeys))
  const inValues = uses.flatMap(({ key, value, path }) => listOpenMember(endpoint, key, value, path))
  const sortings = Object.keys(endpoint.sortings)
  const inSorting = keysOf(sorting).flatMap((key) => listOpenKey(endpoint, key, ['sorting', key], sortings))
  return [...inFilter, ...inValues, ...inSorting]
}

function listOpenKey(
  { name: endpointName, openKeys }: Endpoint,
  name: string,
  path: (string | number)[],
  listed: readonly string[],
): OpenName[] {
  if (listed.includes(name)) return []
  if (openKeys === true) {
    return [{ name, path, listed, reason: `the specification does not show what ${endpointName} takes` }]
  }
  const reason = `it is a key of other markets, which the specification does not list for ${endpointName}`
  return openKeys === 'markets' && isMarketKey(name) ? [{ name, path, listed, reason }] : []
}

/** A member of a value whose choices are not all shown, such as `flag` of `hasContent`. */
function listOpenMember({ filters }: Endpoint, key: string, value: unknown, path: (string | number)[]): OpenName[] {
  const member = Object.hasOwn(filters, key) ? filters[key]?.openMember : undefined
  const name = member === undefined || !isObject(value) ? undefined : value[member.name]
  if (member === undefined || typeof name !== 'string' || member.listed.includes(name)) return []
  const reason = `the specification does not show every ${member.name} of ${key}`
  return [{ name, path: [...path, member.name], listed: member.listed, reason }]
}

function isMarketKey(name: string): name is MarketKey {
  return name.startsWith('snomed') || (marketKeys as readonly string[]).includes(name)
}

function keysOf(sorting: unknown): string[] {
  return isObject(sorting) ? Object.keys(sorting) : []
}
