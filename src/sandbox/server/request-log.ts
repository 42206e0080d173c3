import type { IncomingHttpHeaders } from 'node:http'
import type { ServedEndpoint } from './served-endpoints.ts'

/** A request to the sandbox and its answer so far. */
export interface SandboxRequest {
  /** When it came, in milliseconds since 1970 by the sandbox's clock. */
  readonly at: number
  readonly method: string
  /** With the query string. */
  readonly url: string
  /** `v4/products/stream`; null if there is none. */
  readonly endpoint: ServedEndpoint | null
  /** Without `authorization`. */
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown
  /** Null while there is no answer. */
  readonly status: number | null
  /** The text of its fault. */
  readonly fault: string | null
  /** Records made for the answer so far. */
  readonly records: number
  /** Bytes of the body made so far, before compression; of a stream or document. */
  readonly bytes: number
  /** `open` while it is answered; `aborted`: the client went away. */
  readonly end: 'open' | 'complete' | 'cut' | 'reset' | 'stall' | 'aborted'
}

export type OpenRequest = { -readonly [Key in keyof SandboxRequest]: SandboxRequest[Key] }

export interface RequestLog {
  /** The latest requests, the oldest first. */
  readonly requests: readonly SandboxRequest[]
  readonly add: (request: Pick<SandboxRequest, 'at' | 'method' | 'url' | 'endpoint' | 'headers'>) => OpenRequest
}

const mostRequests = 10_000

export function createRequestLog(): RequestLog {
  const requests: OpenRequest[] = []
  return {
    requests,
    add({ headers, ...request }) {
      const open: OpenRequest = {
        ...request,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization')),
        body: undefined,
        status: null,
        fault: null,
        records: 0,
        bytes: 0,
        end: 'open',
      }
      requests.push(open)
      if (requests.length > mostRequests) requests.shift()
      return open
    },
  }
}
