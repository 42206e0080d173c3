import { aText, needed, checkedLater, type OptionKinds, requireOptions, wholeNumber } from '../../check-options.ts'
import { checkEndpointName } from '../../service/endpoints/endpoints.ts'
import { CatalogueError } from '../../errors.ts'
import { formatSuggestion } from '../../text/choices.ts'
import { parseFault, type AnswerFault, type Fault, type Refusal } from './parse-fault.ts'
import { isServedEndpoint, type ServedEndpoint } from './served-endpoints.ts'

/** One request's share of a fault: a refusal or a changed answer. */
export interface InjectedFault {
  readonly fault: string
  readonly refusal?: Refusal
  readonly answer?: AnswerFault
}

export interface InjectOptions {
  /** Name of an endpoint such as `v4/products/stream`. Default: any. */
  readonly endpoint?: ServedEndpoint
  /** One or more faults of docs/sandbox.md, separated by commas, such as `cut=120`. */
  readonly fault: string
  /** How often the fault happens. Default 1. */
  readonly times?: number
  /** Number of requests to the endpoint that succeed first. Default 0. */
  readonly after?: number
}

const injectOptions: OptionKinds<InjectOptions> = {
  endpoint: checkedLater,
  fault: needed(aText),
  times: wholeNumber(1, 1_000_000),
  after: wholeNumber(0),
}

export interface FaultQueue {
  /** Appends a fault to the queue. Throws USAGE for an unknown fault or endpoint. */
  readonly inject: (options: InjectOptions) => void
  /** Takes the fault of a request: that of its `x-sandbox-fault` header, or else the next in the queue. */
  readonly take: (endpoint: string, header: string | undefined) => InjectedFault | undefined
}

interface Waiting {
  readonly endpoint: string | undefined
  after: number
  readonly faults: InjectedFault[]
}

export function createFaultQueue(): FaultQueue {
  let queue: Waiting[] = []
  const askedByHeader = new Map<string, number>()

  function takeInjected(endpoint: string): InjectedFault | undefined {
    for (const waiting of queue) {
      if (waiting.endpoint !== undefined && waiting.endpoint !== endpoint) continue
      if (waiting.after > 0) {
        waiting.after--
        continue
      }
      const injected = waiting.faults.shift()
      if (waiting.faults.length === 0) queue = queue.filter((other) => other !== waiting)
      return injected
    }
    return undefined
  }

  /**
   * Treats requests with the same header to the same endpoint as one client that retries: after its refusals it gets an
   * answer.
   */
  function takeByHeader(endpoint: string, header: string): InjectedFault | undefined {
    const fault = parseFault(header)
    const faults = toInjectedFaults(fault)
    const turns = fault.answer === null ? faults.length + 1 : faults.length
    const client = `${endpoint} ${header}`
    const asked = askedByHeader.get(client) ?? 0
    if (asked + 1 === turns) askedByHeader.delete(client)
    else askedByHeader.set(client, asked + 1)
    return faults[asked]
  }

  return {
    inject(options) {
      requireOptions('inject', options, injectOptions)
      const { endpoint, fault, times = 1, after = 0 } = options
      if (endpoint !== undefined) requireServed(endpoint, fault)
      const faults = toInjectedFaults(parseFault(fault))
      queue.push({ endpoint, after, faults: Array.from({ length: times }, () => faults).flat() })
    },
    take: (endpoint, header) => (header === undefined ? takeInjected(endpoint) : takeByHeader(endpoint, header)),
  }
}

function toInjectedFaults({ text, refusals, refusal, answer }: Fault): InjectedFault[] {
  const refused = Array.from({ length: refusals }, () => ({ fault: text, refusal }))
  return answer === null ? refused : [...refused, { fault: text, answer }]
}

/**
 * Parses a fault of the command line: `v4/products/stream cut=120` for the first request to that endpoint, or `cut=120`
 * for the first to any. A suffix `x3`, up to `x9999`, repeats it. Throws USAGE.
 */
export function parseInjection(text: string): InjectOptions {
  const words = text.trim().split(/\s+/)
  const endpoint = /^(?:[^=]+\/|images$)/.test(words[0] ?? '') ? words.shift() : undefined
  const times = /^x\d{1,4}$/.test(words.at(-1) ?? '') ? Number(words.pop()?.slice(1)) : 1
  const fault = words.join('')
  parseFault(fault)
  if (endpoint === undefined) return { fault, times }
  return { endpoint: requireServed(endpoint, text), fault, times }
}

function requireServed(endpoint: unknown, fault: string): ServedEndpoint {
  if (typeof endpoint === 'string' && isServedEndpoint(endpoint)) return endpoint
  const { message, suggestion } = checkEndpointName(endpoint) ?? {}
  throw new CatalogueError('USAGE', `fault "${fault}": ${message}${formatSuggestion(suggestion)}`)
}
