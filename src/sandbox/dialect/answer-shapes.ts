import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { contracts } from '../../contracts/contracts.ts'
import type { ServiceError } from '../server/service-error.ts'

export interface Wrapping {
  readonly head: string
  readonly tail: string
}

export interface ErrorAnswer {
  readonly contentType: string | null
  readonly text: string
  /** Whether a header says when to ask again. */
  readonly saysWhen: boolean
}

export interface AnswerShapes {
  readonly streamType: (endpoint: Endpoint) => string
  readonly jsonType: string
  /** Wraps a page, or all records of a paged endpoint. */
  readonly page: (endpoint: Endpoint, meta: object) => Wrapping
  /** Whether a request without `page` gets the first page, or else all records. */
  readonly pagesUnasked: (endpoint: Endpoint) => boolean
  /** Wraps all records of an endpoint without pages. */
  readonly list: (endpoint: Endpoint, meta: object) => Wrapping
  readonly found: (endpoint: Endpoint) => Wrapping
  readonly created: number
  readonly error: (error: ServiceError) => ErrorAnswer
}

const jsonType = 'application/json; charset=utf-8'

/**
 * Assumed forms if only the name is documented: a bare array in v3, `{meta, results}` in v4, the name of the record
 * around a `find`.
 */
export const documentedShapes: AnswerShapes = {
  streamType: ({ name }) => (name.startsWith('v3/') ? 'application/x-ndjson' : 'application/x-json-stream'),
  jsonType,
  page: (_endpoint, meta) => toWrapping('results', meta),
  pagesUnasked: () => false,
  list: ({ name }, meta) => (name.startsWith('v3/') ? { head: '[', tail: ']' } : toWrapping('results', meta)),
  found: (endpoint) => ({ head: `{${JSON.stringify(toWrapper(endpoint))}:`, tail: '}' }),
  created: 200,
  error: (error) => ({ contentType: jsonType, text: JSON.stringify(error.toBody()), saysWhen: true }),
}

/** Loose forms, except `results` in queries that the specification describes, and the body of a 422 as seen. */
export const looseShapes: AnswerShapes = {
  streamType: ({ name }) => (name.startsWith('v3/') ? 'text/plain' : 'application/x-ndjson; charset=UTF-8'),
  jsonType: 'application/json',
  page: (endpoint, meta) => toWrapping(described.has(endpoint.name) ? 'results' : toListName(endpoint), meta),
  pagesUnasked: ({ name }) => !described.has(name) && name !== 'v4/users/query',
  list: (endpoint, meta) => toListDocument(endpoint, meta),
  found: ({ name, ...endpoint }) => foundShapes[name] ?? documentedShapes.found({ name, ...endpoint }),
  created: 201,
  error: toLooseError,
}

const described: ReadonlySet<string> = new Set([
  'v4/products/query',
  'v3/products/search',
  'v4/updates/query',
  'v4/corrections/query',
  'v4/active-ingredients/query',
])

/** v3 `all` has `results` before `meta`; descriptions of fields have `fields` alone. */
function toListDocument(endpoint: Endpoint, meta: object): Wrapping {
  const { name } = endpoint
  if (name.endsWith('/get-fields')) return { head: '{"fields":[', tail: ']}' }
  if (name.startsWith('v3/')) return { head: '{"results":[', tail: `],"meta":${JSON.stringify(meta)}}` }
  return toWrapping(toListName(endpoint), meta)
}

function toWrapping(list: string, meta: object): Wrapping {
  return { head: `{"meta":${JSON.stringify(meta)},${JSON.stringify(list)}:[`, tail: ']}' }
}

function toListName({ name, contract }: Endpoint): string {
  return listNames[name] ?? (contract === 'raw' ? 'items' : toCamelCase(contracts[contract].plural))
}

const listNames: Readonly<Record<string, string>> = {
  // Several consumers read this name.
  'v4/media/query': 'results',
  'v4/users/query': 'users',
  'v4/subscription-types/query': 'subscriptionTypes',
  'v4/product/attributes/query': 'attributes',
  'v4/product/attribute/options/query': 'options',
  'v4/corrections/types': 'types',
}

const bare = { head: '', tail: '' }
const inResult = { head: '{"result":', tail: '}' }

/** Products and media are absent, as they have been seen wrapped in their names. */
const foundShapes: Readonly<Record<string, Wrapping>> = {
  'v4/brands/find': bare,
  'v4/corrections/find': bare,
  'v4/product/attribute/options/find': bare,
  'v3/products/get': bare,
  'v4/organizations/find': inResult,
  'v4/product/attributes/find': inResult,
  'v3/corrections/get': inResult,
}

/** `mediaItem` and `product` have been seen; other names are assumed to be the record's. */
function toWrapper({ wrappedIn, contract }: Endpoint): string {
  return wrappedIn ?? toRecordName(contract)
}

export function toRecordName(contract: Endpoint['contract']): string {
  return contract === 'raw' ? 'attribute' : toCamelCase(contracts[contract].record)
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Answers like a gateway: empty, plain text or HTML. Only a 422 says what is wrong. */
function toLooseError(error: ServiceError): ErrorAnswer {
  const { status, message } = error
  if (status === 422) return { contentType: 'application/json', text: JSON.stringify(error.toBody()), saysWhen: true }
  if (emptyStatuses.has(status)) return { contentType: null, text: '', saysWhen: false }
  if (status === 401) return { contentType: 'text/plain', text: 'Unauthorized\n', saysWhen: false }
  const text = `<html><head><title>${status}</title></head><body><h1>${status} ${escapeHtml(message)}</h1></body></html>\n`
  return { contentType: 'text/html; charset=UTF-8', text, saysWhen: false }
}

const emptyStatuses: ReadonlySet<number> = new Set([403, 405, 415])

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
