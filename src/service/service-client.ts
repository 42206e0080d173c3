import { CatalogueError } from '../errors.ts'
import { toCall, waitInterruptibly, type ServiceRequest } from './call.ts'
import { defaultClientSettings } from './client-settings.ts'
import type { Clock } from './clock.ts'
import { createConcealment } from './conceal.ts'
import { createExchange, type ServiceResponse } from './exchange.ts'
import type { RequestBudget } from './request-budget.ts'
import type { ServiceProxy } from './service-proxy.ts'
import type { ServiceLimits } from './transport-failure.ts'
import { defaultUserAgent } from './user-agent.ts'

export interface ServiceClientOptions {
  /** The address before `/v4`; it may have a path. */
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  /** Default the name and version of this tool. */
  readonly userAgent?: string | null | undefined
  readonly proxy?: ServiceProxy | null | undefined
  /** Shared by every client of the process that uses the same key. */
  readonly budget: RequestBudget
  /** How full the window of that budget may be when this client sends. */
  readonly requestsPerMinute?: number | undefined
  readonly limits?: Partial<ServiceLimits> | undefined
  /** How often a request that failed is sent again. */
  readonly retries?: number | undefined
  readonly clock: Clock
  /** From 0 to below 1: the jitter. */
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
  /** Told why, whenever something is asked again. */
  readonly onTrouble?: ((message: string) => void) | undefined
}

/** Reads from one service with one key. It holds no credentials that anybody could print. */
export interface ServiceClient {
  /**
   * Sends a request, again where that may help, and resolves with the answer's head; the body is still to come. Throws
   * a CatalogueError with a SERVICE_ code, or INTERRUPTED.
   */
  open(request: ServiceRequest, signal?: AbortSignal): Promise<ServiceResponse>
  /** Waits before something is tried again: longer after every failure (from 1), and never all at the same moment. */
  backOff(failures: number, signal?: AbortSignal, atLeastMs?: number): Promise<void>
  /** A text of the service without the credentials that it may quote. */
  readonly conceal: (text: string) => string
  readonly retries: number
  /** Closes every connection, also those that are read from. */
  close(): Promise<void>
}

/** How often in a row one request may meet 429. */
const maxRefusals = 10
const firstBackOffMs = 1000
const longestBackOffMs = 30_000

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { keyId, keySecret, budget, clock, random, signal: clientSignal } = options
  const { requestsPerMinute = defaultClientSettings.requestsPerMinute, retries = defaultClientSettings.retries } =
    options
  const base = new URL(options.baseUrl)
  const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64')
  const conceal = createConcealment([keyId, keySecret, basic])
  const exchange = createExchange({
    base,
    authorization: `Basic ${basic}`,
    userAgent: options.userAgent ?? defaultUserAgent(),
    proxy: options.proxy ?? null,
    limits: { ...defaultClientSettings.limits, ...options.limits },
    waitForTurn: (signal) => budget.take(requestsPerMinute, signal),
    clock,
    conceal,
  })

  async function open(request: ServiceRequest, signal?: AbortSignal): Promise<ServiceResponse> {
    const call = toCall(base, request, joinSignals(clientSignal, signal))
    let failures = 0
    let refusals = 0
    for (;;) {
      const outcome = await exchange.send(call)
      if (outcome.kind === 'answer') return outcome.response
      if (!outcome.mayRepeat) throw outcome.error
      options.onTrouble?.(outcome.error.message)
      if (outcome.kind === 'refused') {
        refusals++
        if (refusals > maxRefusals) throw withTries(outcome.error, refusals)
        budget.pauseUntil(toPauseEnd(outcome.retryAfterMs, refusals))
      } else {
        failures++
        if (failures > retries) throw withTries(outcome.error, failures)
        await backOff(failures, signal, outcome.retryAfterMs ?? 0)
      }
    }
  }

  /** Without Retry-After the window is full, with requests of others maybe: until our oldest one has left it. */
  function toPauseEnd(retryAfterMs: number | null, refusals: number): number {
    const now = clock.now()
    const asked = retryAfterMs === null ? budget.roomAt() : now + retryAfterMs
    return Math.max(asked, refusals > 1 ? now + toCeiling(refusals - 1) : now)
  }

  async function backOff(failures: number, signal?: AbortSignal, atLeastMs = 0): Promise<void> {
    const milliseconds = Math.max(random() * toCeiling(failures), atLeastMs)
    const waiting = { where: base.origin, signal: joinSignals(clientSignal, signal) }
    await waitInterruptibly(waiting, () => clock.sleep(milliseconds, waiting.signal))
  }

  return {
    open,
    backOff,
    conceal,
    retries,
    close: () => exchange.close(),
  }
}

function toCeiling(failures: number): number {
  return Math.min(longestBackOffMs, firstBackOffMs * 2 ** (failures - 1))
}

function withTries({ code, message, cause }: CatalogueError, tries: number): CatalogueError {
  return new CatalogueError(code, tries === 1 ? message : `${message} (${tries} tries)`, { cause })
}

function joinSignals(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
