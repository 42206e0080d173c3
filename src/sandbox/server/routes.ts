import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AnswerFault } from './parse-fault.ts'
import type { OpenRequest } from './request-log.ts'

/** By method and path, such as `POST /v4/products/stream`: no path has a variable part. */
export type Routes = ReadonlyMap<string, RouteHandler>

/** Answers an accepted request. Throws, before the first byte, a ServiceError to be answered instead. */
export type RouteHandler = (call: RouteCall) => Promise<void>

export interface RouteCall {
  readonly method: string
  /** The parameters of the query string; a list where one is repeated. */
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown
  /** The faults of the answer; empty without one. */
  readonly fault: AnswerFault
  readonly response: ServerResponse
  readonly log: OpenRequest
}

/** The paths that control the sandbox itself. Requests there don't count against the rate. */
export const controlPath = '/sandbox/'
