/** How to reach a REST catalog, with the secrets in it, which nothing that prints objects shows. */
export class CatalogAccess {
  /** The address before `/v1`, without a slash at its end. */
  readonly url: string
  /** Of the tables, from the outermost on. */
  readonly namespace: readonly string[]
  readonly warehouse: string | null
  /** Where an access token is asked for. */
  readonly oauthUrl: string
  readonly scope: string
  readonly #token: string | null
  readonly #credential: string | null

  constructor({ url, namespace, warehouse, oauthUrl, scope, token, credential }: WrittenCatalog) {
    this.url = url.replace(/\/+$/, '')
    this.namespace = namespace.split('.')
    this.warehouse = warehouse ?? null
    this.oauthUrl = oauthUrl ?? `${this.url}/v1/oauth/tokens`
    this.scope = scope ?? 'catalog'
    this.#token = token ?? null
    this.#credential = credential ?? null
  }

  /** A bearer token that the config names. */
  get token(): string | null {
    return this.#token
  }

  /** Id and secret of a client, for OAuth2. */
  get credential(): { readonly id: string; readonly secret: string } | null {
    const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(this.#credential ?? '') ?? []
    return this.#credential === null ? null : { id, secret }
  }

  toJSON(): object {
    const { url, namespace, warehouse } = this
    return { url, namespace, warehouse }
  }
}

interface WrittenCatalog {
  readonly url: string
  readonly namespace: string
  readonly warehouse?: string | undefined
  readonly oauthUrl?: string | undefined
  readonly scope?: string | undefined
  readonly token?: string | undefined
  readonly credential?: string | undefined
}
