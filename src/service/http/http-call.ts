import { type CatalogueError, interrupted } from '../../errors.ts'

export interface ServiceRequest {
  readonly method: 'GET' | 'POST'
  /** With its query, if any: `/v4/products/find?id=M1`. */
  readonly path: string
  readonly body?: unknown
  /** The request changes something: it is never sent again once it may have arrived. */
  readonly isWrite?: boolean
  /** Returns an answer of any status as an answer instead of an error. */
  readonly acceptsAnyStatus?: boolean
  /** Hides parts of the body, such as a password, in texts of the service before they are quoted. */
  readonly redact?: (text: string) => string
}

export interface HttpCall {
  /** `POST https://api.example.com/v4/products/stream` */
  readonly where: string
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly body: string | null
  readonly isWrite: boolean
  readonly acceptsAnyStatus: boolean
  readonly redact: (text: string) => string
  readonly signal: AbortSignal | undefined
}

export function toCall(
  base: URL,
  { method, path, body, isWrite, acceptsAnyStatus, redact = (text) => text }: ServiceRequest,
  signal: AbortSignal | undefined,
): HttpCall {
  const url = new URL(base.pathname.replace(/\/+$/, '') + path, base.origin)
  const where = `${method} ${url.origin}${url.pathname}`
  return {
    where,
    url,
    method,
    body: body === undefined ? null : JSON.stringify(body),
    isWrite: isWrite === true,
    acceptsAnyStatus: acceptsAnyStatus === true,
    redact,
    signal,
  }
}

/** Awaits `work`; throws INTERRUPTED if it fails after the signal was aborted. */
export async function waitInterruptibly<Result>(
  call: Pick<HttpCall, 'where' | 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (call.signal?.aborted !== true) throw error
    throw toInterruption(call.where, error)
  }
}

export function toInterruption(where: string, cause: unknown): CatalogueError {
  return interrupted(`${where}: the request`, { cause })
}
