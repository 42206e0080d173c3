import type { EndpointName } from '../service/endpoints/endpoints.ts'
import { CatalogueError } from '../errors.ts'
import { systemClock, type Clock } from '../service/http/clock.ts'
import type { ServiceRequest } from '../service/http/http-call.ts'
import type { RequestBudget } from '../service/http/request-budget.ts'
import { sharedRequestBudget } from '../service/http/request-budget-registry.ts'
import { createServiceClient, type ServiceClient } from '../service/http/service-client.ts'
import type { ServiceProxy } from '../service/http/service-proxy.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import { readAnswer, type Answer } from './read-answer.ts'

export interface ProbedService {
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  readonly userAgent?: string | null | undefined
  readonly proxy?: ServiceProxy | null | undefined
}

export interface ProbeOptions extends RequiredContext<'signal'>, Pick<RunContext, 'onWarning'> {
  readonly requestsPerMinute?: number | undefined
  /** Limit for the first byte of an answer, and again for the part that is read. Default 30 s. */
  readonly answerTimeoutMs?: number | undefined
  readonly clock?: Clock | undefined
  /** Default: the budget that this process shares for the service and key. */
  readonly budget?: RequestBudget | undefined
  readonly onRequest?: ((endpoint: EndpointName) => void) | undefined
}

export interface Question {
  readonly endpoint: EndpointName
  readonly request: ServiceRequest
  /** Number of lines to read from a stream; null for a document. */
  readonly lines: number | null
}

const defaultAnswerTimeoutMs = 30_000
const longestPauseMs = 65_000

/** Asks a service one question at a time, within the budget of its key. Failed requests are answers, not errors. */
export class ServiceProbe {
  readonly #client: ServiceClient
  readonly #budget: RequestBudget
  readonly #options: ProbeOptions
  readonly #clock: Clock
  readonly #answerTimeoutMs: number
  requests = 0
  refusals = 0

  constructor(service: ProbedService, options: ProbeOptions) {
    const { signal, requestsPerMinute, answerTimeoutMs = defaultAnswerTimeoutMs, clock = systemClock } = options
    const { budget = sharedRequestBudget(service) } = options
    this.#options = options
    this.#clock = clock
    this.#answerTimeoutMs = answerTimeoutMs
    this.#budget = budget
    this.#client = createServiceClient({
      ...service,
      budget,
      requestsPerMinute,
      retries: 1,
      limits: { firstByteTimeoutMs: answerTimeoutMs, idleTimeoutMs: answerTimeoutMs },
      clock,
      random: Math.random,
      signal,
      ...(options.onWarning !== undefined && { onWarning: options.onWarning }),
    })
  }

  /** Asks, and asks once more after a 429. Throws INTERRUPTED if `signal` aborts. */
  async ask(question: Question): Promise<Answer> {
    const answer = await this.#askOnce(question)
    if (answer.kind !== 'answer' || answer.status !== 429) return answer
    this.refusals++
    const pauseMs = Math.max(answer.retryAfterMs ?? 0, this.#budget.roomAt() - this.#clock.now(), 1000)
    if (pauseMs > longestPauseMs) return answer
    this.#budget.pauseUntil(this.#clock.now() + pauseMs)
    this.#options.onWarning?.(`waiting ${Math.ceil(pauseMs / 1000)} s: the service allows no more requests this minute`)
    return this.#askOnce(question)
  }

  async #askOnce({ endpoint, request, lines }: Question): Promise<Answer> {
    const { signal, onRequest } = this.#options
    this.requests++
    onRequest?.(endpoint)
    const ending = new AbortController()
    let timer: NodeJS.Timeout | undefined
    try {
      const stop = AbortSignal.any([signal, ending.signal])
      const response = await this.#client.open({ ...request, acceptsAnyStatus: true }, stop)
      timer = setTimeout(() => ending.abort(), this.#answerTimeoutMs)
      return await readAnswer(response, lines)
    } catch (error) {
      if (signal.aborted || !(error instanceof CatalogueError)) throw error
      if (!ending.signal.aborted) return { kind: 'failure', reason: describe(error), error }
      const reason = `no whole answer within ${this.#answerTimeoutMs / 1000} s`
      return { kind: 'failure', reason, error: new CatalogueError('SOURCE_FAILED', `${endpoint}: ${reason}`) }
    } finally {
      clearTimeout(timer)
    }
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

/** Describes an error without text from the service. */
function describe({ code, message }: CatalogueError): string {
  if (code === 'SERVICE_UNREACHABLE' || code === 'SERVICE_UNTRUSTED') return message.replace(/^.*?got none: /, '')
  return reasons[code] ?? 'the answer could not be read'
}

const reasons: Readonly<Partial<Record<CatalogueError['code'], string>>> = {
  SERVICE_REDIRECTED: 'it redirects to another address',
  SERVICE_FAILED: 'it answers in an encoding that was not asked for',
  SOURCE_FAILED: 'the answer was cut off',
}
