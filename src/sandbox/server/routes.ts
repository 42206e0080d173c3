import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AnswerFault } from './parse-fault.ts'
import type { OpenRequest } from './request-log.ts'

/** Handlers by method and path, such as `POST /v4/products/stream`. Paths have no variable parts. */
export type Routes = ReadonlyMap<string, RouteHandler>

/** Answers an accepted request. May throw a ServiceError to be answered instead, before the first byte. */
export type RouteHandler = (call: RouteCall) => Promise<void>

export interface RouteCall {
  readonly method: string
  /** Parameters of the query string; a repeated one is a list. */
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly fault: AnswerFault
  readonly response: ServerResponse
  readonly log: OpenRequest
}

/** Prefix of paths that control the sandbox itself and do not count against the rate. */
export const controlPath = '/sandbox/'
