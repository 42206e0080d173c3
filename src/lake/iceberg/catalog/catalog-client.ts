import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { CatalogAccess } from '../../../config/catalog-access.ts'
import { CatalogueError, interrupted } from '../../../errors.ts'
import { readToolVersion } from '../../../package-file.ts'
import { createAgent } from '../../../service/http/create-agent.ts'
import { createRedaction } from '../../../service/http/redact.ts'
import { findProxy } from '../../../service/http/service-proxy.ts'
import { describeTransportFailure } from '../../../service/http/transport-failure.ts'
import type { ConnectOptions } from '../../connect-lake.ts'
import { pause } from '../../put-version.ts'
import { formatExactJson, parseExactJson } from '../exact-json.ts'

export interface CatalogRequest {
  readonly method: 'GET' | 'POST'
  /** After the prefix of the catalog, with its query. */
  readonly path: string
  readonly body?: unknown
  /** Statuses of the 400s that are no failure. */
  readonly expected?: readonly number[]
  /** The request is not sent again after a failure, after which it may have taken effect. */
  readonly isOnce?: boolean
}

export interface CatalogAnswer {
  readonly status: number
  /** Parsed, with long numbers as bigints. */
  readonly body: unknown
}

const properties = z.record(z.string(), z.string()).nullish()
const catalogConfig = z.looseObject({
  defaults: properties,
  overrides: properties,
  endpoints: z.array(z.string()).nullish(),
})
const tokenAnswer = z.looseObject({ access_token: z.string() })
const errorAnswer = z.looseObject({ error: z.looseObject({ message: z.string(), type: z.string().nullish() }) })

/**
 * Sends the requests of open-api/rest-catalog-open-api.yaml of apache/iceberg. Throws TARGET_FAILED if there is no answer to be had,
 * TARGET_REFUSED if the catalog refuses.
 */
export class CatalogClient {
  /** What the catalog says of itself, and of the files of all tables. */
  config: Readonly<Record<string, string>> = {}
  endpoints: ReadonlySet<string> = new Set()
  readonly #access: CatalogAccess
  readonly #agents = new Map<string, Dispatcher>()
  readonly #options: ConnectOptions
  readonly #secrets: string[] = []
  #token: string | null

  private constructor(access: CatalogAccess, options: ConnectOptions) {
    const { token, credential } = access
    this.#access = access
    this.#options = options
    this.#token = token
    for (const secret of [token, credential?.secret]) if (secret) this.#secrets.push(secret)
  }

  static async connect(access: CatalogAccess, options: ConnectOptions): Promise<CatalogClient> {
    const client = new CatalogClient(access, options)
    try {
      const { warehouse } = access
      const query = warehouse === null ? '' : `?warehouse=${encodeURIComponent(warehouse)}`
      const { defaults, overrides, endpoints } = await client.#configure(query)
      client.config = { ...defaults, ...overrides }
      client.endpoints = new Set(endpoints)
      return client
    } catch (thrown) {
      await client.close()
      throw thrown
    }
  }

  async #configure(query: string): Promise<z.output<typeof catalogConfig>> {
    const url = `${this.#access.url}/v1/config`
    const { body } = await this.#send(`${url}${query}`, { method: 'GET', path: '' })
    const { data } = catalogConfig.safeParse(body)
    if (data !== undefined) return data
    throw refused(`GET ${url}: expected the configuration of an Iceberg REST catalog, got something else`)
  }

  send(request: CatalogRequest): Promise<CatalogAnswer> {
    const prefix = this.config['prefix'] ?? ''
    return this.#send(`${this.#access.url}/v1/${prefix === '' ? '' : `${prefix}/`}${request.path}`, request)
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) await agent.destroy()
  }

  async #send(address: string, request: CatalogRequest): Promise<CatalogAnswer> {
    this.#token ??= await this.#askToken()
    const answer = await this.#repeat(address, request)
    if (!isUnauthorized(answer.status) || this.#access.credential === null) return this.#check(address, request, answer)
    // A token of OAuth2 lasts an hour or so.
    this.#token = await this.#askToken()
    return this.#check(address, request, await this.#repeat(address, request))
  }

  /** Null without a credential to ask with. */
  async #askToken(): Promise<string | null> {
    const { credential, oauthUrl, scope } = this.#access
    if (credential === null) return null
    const form = { grant_type: 'client_credentials', client_id: credential.id, client_secret: credential.secret, scope }
    const request = { method: 'POST', path: '', body: new URLSearchParams(form) } as const
    const { body } = this.#check(oauthUrl, request, await this.#repeat(oauthUrl, request))
    const { data } = tokenAnswer.safeParse(body)
    if (data === undefined) throw refused(`POST ${oauthUrl}: expected an access token, got something else`)
    this.#secrets.push(data.access_token)
    return data.access_token
  }

  /** Repeats a request while the catalog has no answer to it. */
  async #repeat(address: string, request: CatalogRequest): Promise<CatalogAnswer> {
    for (let attempt = 1; ; attempt++) {
      const isLast = request.isOnce === true || attempt === mostAttempts
      try {
        const answer = await this.#sendOnce(address, request)
        if (!isTransient(answer.status)) return answer
        if (isLast) throw failed(this.#describe(address, request, answer))
      } catch (thrown) {
        if (isLast || !(thrown instanceof CatalogueError) || thrown.code !== 'TARGET_FAILED') throw thrown
      }
      await pause(attempt, this.#options.signal)
    }
  }

  async #sendOnce(address: string, { method, body }: CatalogRequest): Promise<CatalogAnswer> {
    const url = new URL(address)
    const where = `${method} ${url.origin}${url.pathname}`
    const { signal = null } = this.#options
    const isForm = body instanceof URLSearchParams
    const { name, version } = readToolVersion()
    const headers = {
      accept: 'application/json',
      'user-agent': `${name}/${version}`,
      'x-iceberg-access-delegation': 'vended-credentials',
      ...(this.#token !== null && !isForm && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    }
    const sent = body === undefined ? {} : { body: isForm ? body.toString() : formatExactJson(body) }
    try {
      const path = url.pathname + url.search
      const answer = await this.#agentOf(url).request({ origin: url.origin, path, method, headers, signal, ...sent })
      const text = await answer.body.text()
      return { status: answer.statusCode, body: parse(text) }
    } catch (thrown) {
      if (signal?.aborted === true) throw interrupted(`${where}: the request`, { cause: thrown })
      const proxyHost = findProxy(address, this.#options.env ?? process.env)?.host ?? null
      const { reason, isPermanent } = describeTransportFailure(thrown, { host: url.host, proxyHost, limits })
      const message = `${where}: expected an answer, got none: ${reason}`
      throw isPermanent ? refused(message, thrown) : failed(message, thrown)
    }
  }

  #agentOf(url: URL): Dispatcher {
    const agent =
      this.#agents.get(url.origin) ?? createAgent(url, limits, findProxy(url.href, this.#options.env ?? process.env))
    this.#agents.set(url.origin, agent)
    return agent
  }

  /** Returns an answer that is no failure. */
  #check(address: string, request: CatalogRequest, answer: CatalogAnswer): CatalogAnswer {
    const { status } = answer
    if (status < 300 || request.expected?.includes(status) === true) return answer
    throw refused(this.#describe(address, request, answer), undefined, fixes[status])
  }

  #describe(address: string, { method }: CatalogRequest, { status, body }: CatalogAnswer): string {
    const { origin, pathname } = new URL(address)
    const { data } = errorAnswer.safeParse(body)
    const said = data === undefined ? '' : `: ${[data.error.type, data.error.message].filter(Boolean).join(': ')}`
    const text = said.length > mostSaid ? `${said.slice(0, mostSaid)}…` : said
    return createRedaction(this.#secrets)(`${method} ${origin}${pathname}: expected success, got ${status}${text}`)
  }
}

const mostAttempts = 5
const mostSaid = 500
const limits = { connectTimeoutMs: 10_000, firstByteTimeoutMs: 120_000, idleTimeoutMs: 60_000 }

/** After them it is unknown whether the request took effect. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 419
}

/** What is no JSON says nothing. */
function parse(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return null
  }
}

function failed(message: string, cause?: unknown): CatalogueError {
  return new CatalogueError('TARGET_FAILED', message, {
    cause,
    title: 'A catalog of tables did not answer',
    fix: 'Check `catalog.url` and that the catalog runs, then run again: nothing has to be cleaned up first.',
  })
}

function refused(message: string, cause?: unknown, fix?: string): CatalogueError {
  return new CatalogueError('TARGET_REFUSED', message, {
    cause,
    title: 'A catalog of tables does not take the load',
    fix:
      fix ??
      'Correct what the message names in `catalog` or `namespace` of the output: a retry alone fails in the same way.',
  })
}

const fixes: Readonly<Record<number, string>> = {
  401: 'Check `catalog.token`, which may have expired, or `catalog.credential` and `catalog.scope`.',
  403: 'Let the catalog allow the user of `catalog.token` or `catalog.credential` to read, create and change tables in the namespace.',
}
