import type { IncomingHttpHeaders } from 'node:http'
import type { ServedEndpoint } from './served-endpoints.ts'

/** A request to the sandbox and its answer so far. */
export interface SandboxRequest {
  /** Time of arrival, in milliseconds since 1970 by the sandbox's clock. */
  readonly at: number
  readonly method: string
  readonly url: string
  /** Such as `v4/products/stream`; null if there is none. */
  readonly endpoint: ServedEndpoint | null
  /** Headers without `authorization`. */
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown
  /** Null until there is an answer. */
  readonly status: number | null
  readonly fault: string | null
  /** Number of records created for the answer so far. */
  readonly records: number
  /** Bytes of the body created so far, before compression, for streams and documents. */
  readonly bytes: number
  /** `open` until answered; `aborted` if the client disconnected. */
  readonly end: 'open' | 'complete' | 'cut' | 'reset' | 'stall' | 'aborted'
}

export type OpenRequest = { -readonly [Key in keyof SandboxRequest]: SandboxRequest[Key] }

export interface RequestLog {
  /** The latest requests, oldest first. */
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
