import { CatalogueError } from '../../errors.ts'
import { readToolVersion } from '../../package-file.ts'
import type { RunContext } from '../../run-context.ts'
import { defaultClientSettings } from './client-settings.ts'
import type { Clock } from './clock.ts'
import { type ServiceRequest, toCall, waitInterruptibly } from './http-call.ts'
import { createHttpTransport, type ServiceResponse } from './http-transport.ts'
import { createRedaction } from './redact.ts'
import type { RequestBudget } from './request-budget.ts'
import type { ServiceProxy } from './service-proxy.ts'
import type { ServiceLimits } from './transport-failure.ts'

/** `onWarning` is called before each wait with the reason: `try 2 of 6 in 4 s: …`. */
export interface ServiceClientOptions extends Pick<RunContext, 'signal' | 'onWarning'> {
  /** The address before `/v4`, possibly with a path. */
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  readonly userAgent?: string | null | undefined
  readonly proxy?: ServiceProxy | null | undefined
  readonly budget: RequestBudget
  readonly requestsPerMinute?: number | undefined
  readonly limits?: Partial<ServiceLimits> | undefined
  readonly retries?: number | undefined
  readonly clock: Clock
  /** Returns a number from 0 to below 1, for the jitter of waits. */
  readonly random: () => number
}

/** Sends requests to one service with one key. Printing it shows no credentials. */
export interface ServiceClient {
  /**
   * Sends a request, again if that may help, and resolves with the head of the answer; the body is still to be read.
   * Throws a CatalogueError with a SERVICE_ code, or INTERRUPTED. `onRepeat` is called with the reason of each
   * repetition.
   */
  open(request: ServiceRequest, signal?: AbortSignal, onRepeat?: (reason: string) => void): Promise<ServiceResponse>
  /**
   * Waits before another try: longer after each failure (`failures` counts from 1), with jitter. Warns if a reason is
   * given.
   */
  backOff(failures: number, signal?: AbortSignal, options?: BackOffOptions): Promise<void>
  readonly redact: (text: string) => string
  readonly retries: number
  readonly usage: () => ServiceUsage
  close(): Promise<void>
}

export interface ServiceUsage {
  readonly requests: number
  /** The time that requests waited for the rate limit or after a failure, summed over concurrent requests. */
  readonly waitedMs: number
}

export interface BackOffOptions {
  readonly atLeastMs?: number | undefined
  readonly reason?: string | undefined
}

/** How often in a row one request may get 429 and be sent again: some minutes, at about a minute a wait. */
const maxRefusals = 4
const shortestKeyId = 8
const firstBackOffMs = 1000
const longestBackOffMs = 30_000

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { keyId, keySecret, budget, clock, random, signal: clientSignal } = options
  const { requestsPerMinute = defaultClientSettings.requestsPerMinute, retries = defaultClientSettings.retries } =
    options
  const base = new URL(options.baseUrl)
  let requests = 0
  let waitedMs = 0
  const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64')
  // A short key id, like the sandbox's, may be a word of any text.
  const redact = createRedaction([...(keyId.length < shortestKeyId ? [] : [keyId]), keySecret, basic])
  const transport = createHttpTransport({
    base,
    authorization: `Basic ${basic}`,
    userAgent: options.userAgent ?? defaultUserAgent(),
    proxy: options.proxy ?? null,
    limits: { ...defaultClientSettings.limits, ...options.limits },
    waitForTurn: async (turnSignal) => {
      const askedAt = clock.now()
      const slot = await budget.take(requestsPerMinute, turnSignal)
      waitedMs += clock.now() - askedAt
      requests++
      return slot
    },
    clock,
    redact,
  })

  const warnOfPause = createPauseWarning(clock, options.onWarning)

  async function open(
    request: ServiceRequest,
    signal?: AbortSignal,
    onRepeat?: (reason: string) => void,
  ): Promise<ServiceResponse> {
    const call = toCall(base, request, joinSignals(clientSignal, signal))
    let failures = 0
    let refusals = 0
    for (;;) {
      const outcome = await transport.send(call)
      if (outcome.kind === 'answer') return outcome.response
      if (!outcome.mayRepeat) throw outcome.error
      const { message: reason } = outcome.error
      if (outcome.kind === 'refused') {
        refusals++
        if (refusals > maxRefusals) throw withTries(outcome.error, refusals)
        const pauseEnd = toPauseEnd(outcome.retryAfterMs, refusals)
        warnOfPause(pauseEnd)
        onRepeat?.(reason)
        budget.pauseUntil(pauseEnd)
      } else {
        failures++
        if (failures > retries) throw withTries(outcome.error, failures)
        onRepeat?.(reason)
        await backOff(failures, signal, { atLeastMs: outcome.retryAfterMs ?? 0, reason })
      }
    }
  }

  /**
   * The end of the pause. Without Retry-After it lasts until our oldest request has left the window, which others with
   * the same key may have filled.
   */
  function toPauseEnd(retryAfterMs: number | null, refusals: number): number {
    const now = clock.now()
    const asked = retryAfterMs === null ? budget.roomAt() : now + retryAfterMs
    return Math.max(asked, refusals > 1 ? now + toCeiling(refusals - 1) : now)
  }

  async function backOff(
    failures: number,
    signal?: AbortSignal,
    { atLeastMs = 0, reason }: BackOffOptions = {},
  ): Promise<void> {
    const milliseconds = Math.max(random() * toCeiling(failures), atLeastMs)
    if (reason !== undefined)
      options.onWarning?.(`try ${failures + 1} of ${retries + 1} in ${formatWait(milliseconds)}: ${reason}`)
    const waiting = { where: base.origin, signal: joinSignals(clientSignal, signal) }
    await waitInterruptibly(waiting, () => clock.sleep(milliseconds, waiting.signal))
    waitedMs += milliseconds
  }

  return {
    open,
    backOff,
    redact,
    retries,
    usage: () => ({ requests, waitedMs: Math.round(waitedMs) }),
    close: () => transport.close(),
  }
}

/** Warns of each pause once, with its length, however many requests meet it. */
function createPauseWarning(clock: Clock, onWarning: RunContext['onWarning']): (until: number) => void {
  let warnedUntil = 0
  return (until) => {
    const now = clock.now()
    // Requests that were under way together are refused one by one, with pauses that differ by a second or two.
    if (until <= now || (now < warnedUntil && until <= warnedUntil + sameWaitMs)) return
    warnedUntil = until
    onWarning?.(`waiting ${formatWait(until - now)}: the service allows no more requests this minute`)
  }
}

const sameWaitMs = 2000

function formatWait(milliseconds: number): string {
  const seconds = milliseconds / 1000
  return `${seconds < 1 ? seconds.toFixed(1) : Math.round(seconds)} s`
}

function toCeiling(failures: number): number {
  return Math.min(longestBackOffMs, firstBackOffMs * 2 ** (failures - 1))
}

function withTries({ code, message, cause, fix }: CatalogueError, tries: number): CatalogueError {
  return new CatalogueError(code, tries === 1 ? message : `${message} (${tries} tries)`, { cause, fix })
}

function joinSignals(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** `catalogue-etl/1.2.3` */
function defaultUserAgent(): string {
  const { name, version } = readToolVersion()
  return `${name}/${version}`
}
