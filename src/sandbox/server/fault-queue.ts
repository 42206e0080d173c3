import { CatalogueError } from '../../errors.ts'
import { checkEndpointName } from '../../api/endpoints.ts'
import { type AnswerFault, type Fault, parseFault, type Refusal } from './parse-fault.ts'
import { isServedEndpoint, type ServedEndpoint } from './served-endpoints.ts'

/** One request's share of a fault. */
export interface InjectedFault {
  /** The fault as it was said. */
  readonly fault: string
  /** The request is refused … */
  readonly refusal?: Refusal
  /** … or answered with this. */
  readonly answer?: AnswerFault
}

export interface InjectOptions {
  /** The name of an endpoint, `v4/products/stream`; default any. */
  readonly endpoint?: ServedEndpoint
  /** See `parseFault`. */
  readonly fault: string
  /** How many times the fault happens; default 1. */
  readonly times?: number
  /** How many requests to the endpoint go well before that; default 0. */
  readonly after?: number
}

/** The faults that wait for their requests. */
export interface FaultQueue {
  /** Has the next requests meet a fault, after those that wait already. Throws USAGE when there is no such fault or endpoint. */
  readonly inject: (options: InjectOptions) => void
  /** What befalls a request to an endpoint with this `x-sandbox-fault` header, if anything; the header goes first. */
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

  /** The same header at the same endpoint is one client that tries again: after its refusals it gets its answer. */
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
    inject({ endpoint, fault, times = 1, after = 0 }) {
      if (endpoint !== undefined && !isServedEndpoint(endpoint)) {
        throw new CatalogueError('USAGE', `fault "${fault}": expected an endpoint, got "${String(endpoint)}"`)
      }
      const faults = toInjectedFaults(parseFault(fault))
      queue.push({ endpoint, after, faults: Array.from({ length: times }, () => faults).flat() })
    },
    take: (endpoint, header) => (header === undefined ? takeInjected(endpoint) : takeByHeader(endpoint, header)),
  }
}

/** One by one what befalls the requests that meet a fault. */
function toInjectedFaults({ text, refusals, refusal, answer }: Fault): InjectedFault[] {
  const refused = Array.from({ length: refusals }, () => ({ fault: text, refusal }))
  return answer === null ? refused : [...refused, { fault: text, answer }]
}

/**
 * A fault as a command line says it: `v4/products/stream cut=120`, for the first request to that endpoint; `cut=120`, for
 * the first one to any; with `x3` at the end for so many, up to 9999. Throws USAGE.
 */
export function parseInjection(text: string): InjectOptions {
  const words = text.trim().split(/\s+/)
  const endpoint = /^[^=]+\//.test(words[0] ?? '') ? words.shift() : undefined
  const times = /^x\d{1,4}$/.test(words.at(-1) ?? '') ? Number(words.pop()?.slice(1)) : 1
  const fault = words.join('')
  parseFault(fault)
  if (endpoint === undefined) return { fault, times }
  if (isServedEndpoint(endpoint)) return { endpoint, fault, times }
  const { message, suggestion } = checkEndpointName(endpoint) ?? {}
  const meant = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new CatalogueError('USAGE', `fault "${text}": ${message}${meant}`)
}
