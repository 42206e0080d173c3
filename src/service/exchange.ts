import { Agent, type Dispatcher } from 'undici'
import { CatalogueError } from '../errors.ts'
import { toInterruption, waitInterruptibly, type Call } from './call.ts'
import type { Clock } from './clock.ts'
import { isTransient, parseRefusal, toRefusalError } from './refusal.ts'
import type { RequestBudget } from './request-budget.ts'
import { openBody, readBeginning, type ResponseBody } from './response-body.ts'
import { parseRetryAfter } from './retry-after.ts'
import { describeTransportFailure, type ServiceLimits } from './transport-failure.ts'

export interface ServiceResponse {
  /** 200 to 299. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** To be read to its end, or closed. Reading throws SOURCE_FAILED once the answer is cut or stalls. */
  readonly body: ResponseBody
  /** The service's own clock, where it tells. */
  readonly date: Date | null
}

/** What became of one request. `refused`: there were too many; it is no failure of this one. */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: ServiceResponse }
  | {
      readonly kind: 'refused' | 'failed'
      readonly error: CatalogueError
      /** Whether the same request may be answered later. */
      readonly mayRepeat: boolean
      readonly retryAfterMs: number | null
    }

export interface ExchangeOptions {
  readonly base: URL
  readonly authorization: string
  readonly userAgent: string
  readonly limits: ServiceLimits
  readonly budget: RequestBudget
  readonly clock: Clock
  readonly conceal: (text: string) => string
}

/** One request, one answer. */
export interface Exchange {
  /** Sends it when the budget lets it through. Throws SERVICE_REDIRECTED or INTERRUPTED. */
  send(call: Call): Promise<Outcome>
  close(): Promise<void>
}

const maxRedirects = 3
const longestRetryAfterMs = 3_600_000
const errorBodyBytes = 65_536

export function createExchange(options: ExchangeOptions): Exchange {
  const { base, authorization, userAgent, limits, budget, clock, conceal } = options
  const headers = { authorization, 'user-agent': userAgent, 'accept-encoding': 'gzip', accept: '*/*' }
  const agent = new Agent({
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.firstByteTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
  })

  async function send(call: Call): Promise<Outcome> {
    let target: Pick<Call, 'url' | 'method'> = call
    for (let redirects = 0; ; redirects++) {
      await waitInterruptibly(call, () => budget.take(call.signal))
      let response: Dispatcher.ResponseData
      try {
        response = await agent.request(toRequestOptions(target, call))
      } catch (error) {
        return toFailure(error, call)
      }
      // A body that is closed before its end emits an error, though nobody reads it. Whoever does read gets it all the same.
      response.body.on('error', () => undefined)
      const { statusCode: status } = response
      const location = response.headers['location']
      if (status < 300 || status > 399 || typeof location !== 'string') return settle(response, call)
      response.body.destroy()
      const url = followRedirect(target.url, status, location, redirects, call)
      // 303 says to fetch the answer elsewhere; all others mean the same request again.
      target = { url, method: status === 303 ? 'GET' : target.method }
    }
  }

  function toRequestOptions({ url, method }: Pick<Call, 'url' | 'method'>, { body, signal }: Call) {
    const target = { origin: url.origin, path: url.pathname + url.search, method, signal: signal ?? null }
    if (method === 'GET' || body === null) return { ...target, headers }
    return { ...target, body, headers: { ...headers, 'content-type': 'application/json' } }
  }

  async function settle({ statusCode: status, ...rest }: Dispatcher.ResponseData, call: Call): Promise<Outcome> {
    const flat = flattenHeaders(rest.headers)
    const date = toDate(flat['date'])
    const encoding = flat['content-encoding']?.trim().toLowerCase()
    const body = openBody(rest.body, call.where, { encoding, toError: (error, bytes) => toCut(error, bytes, call) })
    if (status < 300) return { kind: 'answer', response: { status, headers: flat, body, date } }
    const refusal = parseRefusal(status, await readBeginning(body, errorBodyBytes), conceal)
    const retryAfterMs = parseRetryAfter(flat['retry-after'], { now: clock.now(), date })
    const refused = { kind: status === 429 ? 'refused' : 'failed', retryAfterMs } as const
    if (retryAfterMs !== null && retryAfterMs > longestRetryAfterMs) {
      const asked = `, which asks to wait ${Math.round(retryAfterMs / 1000)} s, longer than an hour`
      return { ...refused, error: toRefusalError(call.where, refusal, asked), mayRepeat: false }
    }
    const mayRepeat = status === 429 || (isTransient(status) && !call.isWrite)
    return { ...refused, error: toRefusalError(call.where, refusal), mayRepeat }
  }

  /** Where to go on. Throws SERVICE_REDIRECTED where the credentials must not follow. */
  function followRedirect(from: URL, status: number, location: string, redirects: number, call: Call): URL {
    const target = URL.canParse(location, from.href) ? new URL(location, from) : null
    const shown = target === null ? location : target.origin + target.pathname
    const message = `${call.where}: expected an answer from ${base.origin}, got ${status} to "${conceal(shown)}"`
    if (target?.origin !== base.origin) throw new CatalogueError('SERVICE_REDIRECTED', message)
    if (call.isWrite) {
      throw new CatalogueError(
        'SERVICE_REDIRECTED',
        `${message}, where a request that changes something does not follow`,
      )
    }
    if (redirects < maxRedirects) return target
    throw new CatalogueError('SERVICE_REDIRECTED', `${message}, after ${redirects} others`)
  }

  function toFailure(error: unknown, call: Call): Outcome {
    if (call.signal?.aborted === true) throw toInterruption(call.where, error)
    const { reason, isPermanent, mayHaveArrived } = describeTransportFailure(error, base.hostname, limits)
    const mayRepeat = !isPermanent && !(call.isWrite && mayHaveArrived)
    const message = `${call.where}: expected an answer, got none: ${reason}`
    const failure = new CatalogueError('SERVICE_UNREACHABLE', message, { cause: error })
    return { kind: 'failed', error: failure, mayRepeat, retryAfterMs: null }
  }

  function toCut(error: unknown, bytes: number, call: Call): CatalogueError {
    if (call.signal?.aborted === true) return toInterruption(call.where, error)
    const { reason } = describeTransportFailure(error, base.hostname, limits)
    const message = `${call.where}: expected the answer to its end, got ${bytes} bytes of it: ${reason}`
    return new CatalogueError('SOURCE_FAILED', message, { cause: error })
  }

  return { send, close: () => agent.destroy() }
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}

function toDate(value: string | undefined): Date | null {
  const time = Date.parse(value ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}
