import { dirname } from 'node:path/posix'
import {
  endpointNames,
  endpoints,
  checkEndpointName,
  isEndpointName,
  type EndpointName,
} from '../../service/endpoints/endpoints.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { CatalogueError } from '../../errors.ts'
import { closest, formatSuggestion } from '../../text/choices.ts'

export function looksLikeEndpoint(text: string): boolean {
  return /^\/?v\d+\//.test(text)
}

/**
 * Finds the endpoint of a full name (`v4/products/stream`), a prefix (`v4/products`) or a contract (`v4/product`). If
 * several match, prefers the one that reads everything best. Throws USAGE if none does.
 */
export function chooseEndpoint(text: string): EndpointName {
  const name = text.replace(/^\//, '').replace(/\/$/, '')
  if (isEndpointName(name)) return name
  const [best] = endpointNames
    .filter((each) => each.startsWith(`${name}/`) || endpoints[each].contract === name)
    .toSorted((a, b) => rank(endpoints[a]) - rank(endpoints[b]))
  if (best !== undefined) return best
  const { message = '' } = checkEndpointName(name) ?? {}
  const suggestion = closest(name, [...endpointNames, ...endpointNames.map((each) => dirname(each))])
  throw new CatalogueError('USAGE', `${text}: ${message}${formatSuggestion(suggestion)}`, {
    fix: 'See `catalogue-etl endpoints` for the names.',
  })
}

function rank({ read, deprecated, contract }: Endpoint): number {
  const order = ['stream', 'paged', 'list', 'find'].indexOf(read)
  return order + (contract === 'raw' ? 4 : 0) + (deprecated === undefined ? 0 : 8)
}

/** Endpoints that a new config may read: all but single records, streams first, deprecated ones last. */
export function listReadable(): EndpointName[] {
  return endpointNames
    .filter((name) => endpoints[name].read !== 'find')
    .toSorted((a, b) => rank(endpoints[a]) - rank(endpoints[b]))
}

export function toEndpointPipelineName(name: EndpointName): string {
  const [version, ...parts] = name.split('/')
  const words = parts.filter((part) => !verbs.has(part))
  return [...(words.length === 0 ? parts : words), ...(version === 'v4' ? [] : [version])].join('-')
}

const verbs: ReadonlySet<string> = new Set(['query', 'stream', 'find', 'all', 'get', 'search', 'export'])
