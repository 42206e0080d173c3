import { CatalogueError } from '../../errors.ts'
import { parseFault, type AnswerFault, type Fault, type Refusal } from './parse-fault.ts'
import { isServedEndpoint, type ServedEndpoint } from './served-endpoints.ts'

/** What befalls one request. */
export interface Mishap {
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
  readonly take: (endpoint: string, header: string | undefined) => Mishap | undefined
}

interface Waiting {
  readonly endpoint: string | undefined
  after: number
  readonly mishaps: Mishap[]
}

export function createFaultQueue(): FaultQueue {
  let queue: Waiting[] = []
  const askedByHeader = new Map<string, number>()

  function takeInjected(endpoint: string): Mishap | undefined {
    for (const waiting of queue) {
      if (waiting.endpoint !== undefined && waiting.endpoint !== endpoint) continue
      if (waiting.after > 0) {
        waiting.after--
        continue
      }
      const mishap = waiting.mishaps.shift()
      if (waiting.mishaps.length === 0) queue = queue.filter((other) => other !== waiting)
      return mishap
    }
    return undefined
  }

  /** The same header at the same endpoint is one client that tries again: after its refusals it gets its answer. */
  function takeByHeader(endpoint: string, header: string): Mishap | undefined {
    const fault = parseFault(header)
    const mishaps = toMishaps(fault)
    const turns = fault.answer === null ? mishaps.length + 1 : mishaps.length
    const client = `${endpoint} ${header}`
    const asked = askedByHeader.get(client) ?? 0
    if (asked + 1 === turns) askedByHeader.delete(client)
    else askedByHeader.set(client, asked + 1)
    return mishaps[asked]
  }

  return {
    inject({ endpoint, fault, times = 1, after = 0 }) {
      if (endpoint !== undefined && !isServedEndpoint(endpoint)) {
        throw new CatalogueError('USAGE', `fault "${fault}": expected an endpoint, got "${String(endpoint)}"`)
      }
      const mishaps = toMishaps(parseFault(fault))
      queue.push({ endpoint, after, mishaps: Array.from({ length: times }, () => mishaps).flat() })
    },
    take: (endpoint, header) => (header === undefined ? takeInjected(endpoint) : takeByHeader(endpoint, header)),
  }
}

/** One by one what befalls the requests that meet a fault. */
function toMishaps({ text, refusals, refusal, answer }: Fault): Mishap[] {
  const refused = Array.from({ length: refusals }, () => ({ fault: text, refusal }))
  return answer === null ? refused : [...refused, { fault: text, answer }]
}
