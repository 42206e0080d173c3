import type { Dispatcher } from 'undici'
import { CatalogueError } from '../../errors.ts'
import type { Clock } from './clock.ts'
import { createAgent } from './create-agent.ts'
import { type HttpCall, toInterruption, waitInterruptibly } from './http-call.ts'
import { isTransient, parseRefusal, toRefusalError, WriteFailure, type WriteFailureDetails } from './refusal.ts'
import type { RequestSlot } from './request-budget.ts'
import { openBody, readBeginning, type ResponseBody } from './response-body.ts'
import type { ServiceProxy } from './service-proxy.ts'
import { describeTransportFailure, ProxyRefusal, type ServiceLimits } from './transport-failure.ts'

export interface ServiceResponse {
  /** 200 to 299, unless the request accepts any status. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Must be read to its end or closed. Reading throws SOURCE_FAILED if the answer is cut off or stalls. */
  readonly body: ResponseBody
  /** The time by the service's clock; null if the answer has no Date header. */
  readonly date: Date | null
}

/** The outcome of one request. `refused` is 429, too many requests, and does not count as a failure of this one. */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: ServiceResponse }
  | {
      readonly kind: 'refused' | 'failed'
      readonly error: CatalogueError
      readonly mayRepeat: boolean
      readonly retryAfterMs: number | null
    }

export interface HttpTransportOptions {
  readonly base: URL
  readonly authorization: string
  readonly userAgent: string
  readonly proxy: ServiceProxy | null
  readonly limits: ServiceLimits
  readonly waitForTurn: (signal?: AbortSignal) => Promise<RequestSlot>
  readonly clock: Clock
  readonly redact: (text: string) => string
}

export interface HttpTransport {
  /** Sends one request when the budget allows it. Throws SERVICE_REDIRECTED or INTERRUPTED. */
  send(call: HttpCall): Promise<Outcome>
  close(): Promise<void>
}

const maxRedirects = 3
const longestRetryAfterMs = 3_600_000
const errorBodyBytes = 65_536

/** Several times what one read of a socket brings, so that no read leaves a remainder (see response-body.ts). */
const bodyBytes = 512 * 1024

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { base, authorization, userAgent, proxy, limits, waitForTurn, clock, redact } = options
  const headers = { authorization, 'user-agent': userAgent, 'accept-encoding': 'gzip', accept: '*/*' }
  const agent = createAgent(base, limits, proxy)
  const route = { host: base.hostname, proxyHost: proxy === null ? null : proxy.host, limits }

  async function send(call: HttpCall): Promise<Outcome> {
    let target: Pick<HttpCall, 'url' | 'method'> = call
    for (let redirects = 0; ; redirects++) {
      const slot = await waitInterruptibly(call, () => waitForTurn(call.signal))
      let response: Dispatcher.ResponseData
      try {
        response = await agent.request(toRequestOptions(target, call))
      } catch (error) {
        return toFailure(error, call)
      } finally {
        slot.answered()
      }
      // A body that is closed before its end emits an error, even without a reader. A reader gets the error all the
      // same.
      response.body.on('error', () => undefined)
      const { statusCode: status } = response
      if (status === 407 && proxy !== null) {
        response.body.destroy()
        return toFailure(new ProxyRefusal(status), call)
      }
      const location = response.headers['location']
      if (status < 300 || status > 399 || typeof location !== 'string') return toOutcome(response, call)
      response.body.destroy()
      const url = followRedirect(target.url, status, location, redirects, call)
      // 303 asks to fetch the answer elsewhere; all others ask for the same request again.
      target = { url, method: status === 303 ? 'GET' : target.method }
    }
  }

  function toRequestOptions({ url, method }: Pick<HttpCall, 'url' | 'method'>, { body, signal }: HttpCall) {
    const target = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      signal: signal ?? null,
      highWaterMark: bodyBytes,
    }
    if (method === 'GET' || body === null) return { ...target, headers }
    return { ...target, body, headers: { ...headers, 'content-type': 'application/json' } }
  }

  async function toOutcome({ statusCode: status, ...rest }: Dispatcher.ResponseData, call: HttpCall): Promise<Outcome> {
    const flat = flattenHeaders(rest.headers)
    const date = toDate(flat['date'])
    const encoding = flat['content-encoding']?.trim().toLowerCase()
    const body = openBody(rest.body, call.where, { encoding, toError: (error, bytes) => toCut(error, bytes, call) })
    if (status < 300 || call.acceptsAnyStatus)
      return { kind: 'answer', response: { status, headers: flat, body, date } }
    const redactAll = (text: string): string => redact(call.redact(text))
    const refusal = parseRefusal(status, await readBeginning(body, errorBodyBytes), redactAll)
    const retryAfterMs = parseRetryAfter(flat['retry-after'], { now: clock.now(), date })
    const refused = { kind: status === 429 ? 'refused' : 'failed', retryAfterMs } as const
    const details = { mayHaveArrived: isTransient(status), refusal, retryAfterMs }
    if (retryAfterMs !== null && retryAfterMs > longestRetryAfterMs) {
      const asked = `, which asks to wait ${Math.round(retryAfterMs / 1000)} s, longer than an hour`
      return { ...refused, error: ofCall(toRefusalError(call.where, refusal, asked), call, details), mayRepeat: false }
    }
    const mayRepeat = status === 429 || (isTransient(status) && !call.isWrite)
    return { ...refused, error: ofCall(toRefusalError(call.where, refusal), call, details), mayRepeat }
  }

  /** The address that the redirect names. Throws SERVICE_REDIRECTED if the credentials must not be sent there. */
  function followRedirect(from: URL, status: number, location: string, redirects: number, call: HttpCall): URL {
    const target = URL.canParse(location, from.href) ? new URL(location, from) : null
    const shown = target === null ? location : target.origin + target.pathname
    const message = `${call.where}: expected an answer from ${base.origin}, got ${status} to "${redact(call.redact(shown))}"`
    // 303 may also mean that the request was carried out.
    const details = { mayHaveArrived: status === 303, refusal: null, retryAfterMs: null }
    const toError = (text: string) => ofCall(new CatalogueError('SERVICE_REDIRECTED', text), call, details)
    if (target?.origin !== base.origin) throw toError(message)
    if (call.isWrite) throw toError(`${message}, where a request that changes something does not follow`)
    if (redirects < maxRedirects) return target
    throw new CatalogueError('SERVICE_REDIRECTED', `${message}, after ${redirects} others`)
  }

  function toFailure(error: unknown, call: HttpCall): Outcome {
    if (call.signal?.aborted === true) throw toInterruption(call.where, error)
    const { reason, isPermanent, isUntrusted, mayHaveArrived, fix } = describeTransportFailure(error, route)
    const mayRepeat = !isPermanent && !(call.isWrite && mayHaveArrived)
    const message = `${call.where}: expected an answer, got none: ${reason}`
    const code = isUntrusted ? 'SERVICE_UNTRUSTED' : 'SERVICE_UNREACHABLE'
    const failure = new CatalogueError(code, message, { cause: error, fix })
    const details = { mayHaveArrived, refusal: null, retryAfterMs: null }
    return { kind: 'failed', error: ofCall(failure, call, details), mayRepeat, retryAfterMs: null }
  }

  function toCut(error: unknown, bytes: number, call: HttpCall): CatalogueError {
    if (call.signal?.aborted === true) return toInterruption(call.where, error)
    const { reason } = describeTransportFailure(error, route)
    const message = `${call.where}: expected the answer to its end, got ${bytes} bytes of it: ${reason}`
    return new CatalogueError('SOURCE_FAILED', message, { cause: error })
  }

  return { send, close: () => agent.destroy() }
}

function ofCall(error: CatalogueError, { isWrite }: HttpCall, details: WriteFailureDetails): CatalogueError {
  return isWrite ? new WriteFailure(error, details) : error
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}

function toDate(value: string | undefined): Date | null {
  const time = Date.parse(value ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

/**
 * The wait that a Retry-After header asks for, in milliseconds. The header holds whole seconds or a date; a date is
 * compared with `date`, the sender's clock, if there is one. Null without a header that can be understood.
 */
export function parseRetryAfter(
  value: string | undefined,
  { now, date }: { readonly now: number; readonly date: Date | null },
): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  // Date.parse accepts many things as dates, numbers for instance; an HTTP date begins with its weekday.
  const time = /^[A-Za-z]{3,9},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - (date?.getTime() ?? now))
}
