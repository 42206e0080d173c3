import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import { contracts } from '../../contracts/contracts.ts'
import type { ServiceError } from '../server/service-error.ts'

/** The text of a document before and after its records. */
export interface Wrapping {
  readonly head: string
  readonly tail: string
}

export interface ErrorAnswer {
  /** Null: none. */
  readonly contentType: string | null
  readonly text: string
  /** False: no header says when to ask again. */
  readonly saysWhen: boolean
}

/** The forms of answers around their records. */
export interface AnswerShapes {
  readonly streamType: (endpoint: Endpoint) => string
  readonly jsonType: string
  /** A page, or everything of an endpoint that has pages. */
  readonly page: (endpoint: Endpoint, meta: object) => Wrapping
  /** True if a request without `page` gets the first page, false if it gets everything. */
  readonly pagesUnasked: (endpoint: Endpoint) => boolean
  /** Everything of an endpoint without pages. */
  readonly list: (endpoint: Endpoint, meta: object) => Wrapping
  readonly found: (endpoint: Endpoint) => Wrapping
  /** The status of the answer to the creation of a user. */
  readonly created: number
  readonly error: (error: ServiceError) => ErrorAnswer
}

const jsonType = 'application/json; charset=utf-8'

/** Assumed where only the name is shown: a bare array in v3, `{meta, results}` in v4, the name of the record around a `find`. */
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

/** Keeps `results` of the queries that the specification describes, and the body of a 422 as seen. */
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

/** The paged queries whose answer the specification shows. */
const described: ReadonlySet<string> = new Set([
  'v4/products/query',
  'v3/products/search',
  'v4/updates/query',
  'v4/corrections/query',
  'v4/active-ingredients/query',
])

/** v3 `all`: `results` before `meta`. Descriptions of fields: `fields` alone. */
function toListDocument(endpoint: Endpoint, meta: object): Wrapping {
  const { name } = endpoint
  if (name.endsWith('/get-fields')) return { head: '{"fields":[', tail: ']}' }
  if (name.startsWith('v3/')) return { head: '{"results":[', tail: `],"meta":${JSON.stringify(meta)}}` }
  return toWrapping(toListName(endpoint), meta)
}

/** `{"meta": …, "productFamilies": […]}` */
function toWrapping(list: string, meta: object): Wrapping {
  return { head: `{"meta":${JSON.stringify(meta)},${JSON.stringify(list)}:[`, tail: ']}' }
}

function toListName({ name, contract }: Endpoint): string {
  return listNames[name] ?? (contract === 'raw' ? 'items' : toCamelCase(contracts[contract].plural))
}

const listNames: Readonly<Record<string, string>> = {
  // Read so by several consumers.
  'v4/media/query': 'results',
  'v4/users/query': 'users',
  'v4/subscription-types/query': 'subscriptionTypes',
  'v4/product/attributes/query': 'attributes',
  'v4/product/attribute/options/query': 'options',
  'v4/corrections/types': 'types',
}

const bare = { head: '', tail: '' }
const inResult = { head: '{"result":', tail: '}' }

/** Those of products and media have been seen wrapped in their names. */
const foundShapes: Readonly<Record<string, Wrapping>> = {
  'v4/brands/find': bare,
  'v4/corrections/find': bare,
  'v4/product/attribute/options/find': bare,
  'v3/products/get': bare,
  'v4/organizations/find': inResult,
  'v4/product/attributes/find': inResult,
  'v3/corrections/get': inResult,
}

/** `mediaItem` and `product` have been seen; of others, the record's name is assumed. */
function toWrapper({ wrappedIn, contract }: Endpoint): string {
  return wrappedIn ?? toRecordName(contract)
}

/** `activeIngredient` */
export function toRecordName(contract: Endpoint['contract']): string {
  return contract === 'raw' ? 'attribute' : toCamelCase(contracts[contract].record)
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Empty, plain text or HTML, as a gateway answers; a 422 says what is wrong. */
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
