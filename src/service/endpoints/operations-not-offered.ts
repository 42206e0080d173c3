export interface OperationNotOffered {
  /** The path in the specification without its first slash: `v4/products/create`. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly reason: string
}

const writes = 'It changes data of the service: the creation of users is the only thing that is written back.'
const embeds = 'It serves a page to be shown, no record; its address is in "meta.embedUrl" of each v4 product.'
const keys = 'It makes or ends API keys, which are secrets of the service and no data of the catalogue.'
const checks = 'It answers a question about one organization and lists no record.'

const reasons: Readonly<Record<string, string>> = {
  'GET v4/products/embed': embeds,
  'POST v4/products/create': writes,
  'POST v4/products/update': writes,
  'POST v4/products/add-media': writes,
  'POST v4/products/remove-media': writes,
  'POST v4/product/descriptions/create': writes,
  'POST v4/product/descriptions/update': writes,
  'POST v4/product/descriptions/delete': writes,
  'POST v4/media/upload': writes,
  'POST v4/media/create-link': writes,
  'POST v4/media/update': writes,
  'POST v4/media/publish': writes,
  'POST v4/media/unpublish': writes,
  'POST v4/organizations/create': writes,
  'POST v4/organizations/check/subscription': checks,
  'POST v4/api-keys/create': keys,
  'POST v4/api-keys/revoke': keys,
  'POST v4/corrections/create': writes,
  'POST v4/brands/create': writes,
  'POST v4/brands/update': writes,
  'GET v3/products/embed': embeds,
  'POST v3/corrections/create': writes,
}

/**
 * The operations that the specification names besides the endpoint table and the creation of users, each with the
 * reason why it is not offered (specification: Other endpoints (names only)).
 */
export const operationsNotOffered: readonly OperationNotOffered[] = Object.entries(reasons).map(([key, reason]) => {
  const [method, name = ''] = key.split(' ') as [OperationNotOffered['method'], string?]
  return { name, method, path: `/${name}`, reason }
})
