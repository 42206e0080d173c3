import { createHash, timingSafeEqual } from 'node:crypto'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import { setTimeout as wait } from 'node:timers/promises'
import { CatalogueError } from '../../errors.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { FaultQueue, InjectedFault } from './fault-queue.ts'
import type { Refusal } from './parse-fault.ts'
import type { RateLimit } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import type { OpenRequest, RequestLog } from './request-log.ts'
import { controlPath, type Routes } from './routes.ts'
import { endResponse, sendJson, sendText } from './send-answer.ts'
import { isServedEndpoint, usersCreate, type ServedEndpoint } from './served-endpoints.ts'
import { ServiceError } from './service-error.ts'

export interface ServerOptions {
  readonly keyId: string
  readonly keySecret: string
  /** Absent: no limit. */
  readonly rateLimit: RateLimit | undefined
  readonly faults: FaultQueue
  readonly log: RequestLog
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly routes: Routes
}

/** Longer than the pause of a client that keeps its connections for the next request. */
const keepAliveTimeout = 72_000

/**
 * A server, not listening yet, that does with every request as the service does: credentials, rate, routes, errors as
 * JSON. Faults that come before an answer happen here too.
 */
export function createServer(options: ServerOptions): Server {
  return createHttpServer({ keepAliveTimeout }, (request, response) => {
    void serve(request, response, options)
  })
}

async function serve(request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const { method = '', url = '', headers } = request
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  const endpoint = toEndpointName(path)
  const log = options.log.add({ at: options.now(), method, url, endpoint, headers })
  response.setHeader('date', new Date(options.now()).toUTCString())
  response.once('close', () => finishLog(log, response))
  try {
    checkAccess(path, headers, options)
    const injected =
      endpoint === null ? undefined : options.faults.take(endpoint, headers['x-sandbox-fault'] as string | undefined)
    log.fault = injected?.fault ?? null
    if (injected !== undefined && (await isAnsweredByFault(injected, response, log))) return
    const handle = options.routes.get(`${method} ${path}`)
    if (handle === undefined) throw toNotFound(method, endpoint)
    const body = await readBody(request)
    log.body = body
    await handle({ method, query: parseQuery(query), headers, body, fault: injected?.answer ?? {}, response, log })
  } catch (error) {
    sendError(error as Error, response)
  }
}

/** `v4/products/stream`; null where the sandbox serves no endpoint. */
function toEndpointName(path: string): ServedEndpoint | null {
  const name = path.slice(1)
  return isServedEndpoint(name) ? name : null
}

function finishLog(log: OpenRequest, response: ServerResponse): void {
  log.status = response.headersSent ? response.statusCode : null
  if (log.end === 'open') log.end = response.writableFinished ? 'complete' : 'aborted'
}

function checkAccess(path: string, { authorization }: IncomingHttpHeaders, options: ServerOptions): void {
  if (!hasCredentials(authorization, options.keyId, options.keySecret)) {
    const challenge = { 'www-authenticate': 'Basic realm="catalogue"' }
    throw new ServiceError(401, 'The API key id or secret is wrong or missing', { headers: challenge })
  }
  if (path.startsWith(controlPath)) return
  const secondsToWait = options.rateLimit?.take()
  if (secondsToWait === undefined) return
  throw new ServiceError(429, 'Too many requests a minute', { headers: { 'retry-after': String(secondsToWait) } })
}

/** Compares an Authorization header with credentials in Basic form (specification: Authentication). */
function hasCredentials(header: string | undefined, keyId: string, keySecret: string): boolean {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return false
  return timingSafeEqual(digest(Buffer.from(encoded, 'base64')), digest(Buffer.from(`${keyId}:${keySecret}`)))
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Applies the part of a fault that comes before the answer. True where nothing else is to be answered. */
async function isAnsweredByFault(
  { refusal, answer }: InjectedFault,
  response: ServerResponse,
  log: OpenRequest,
): Promise<boolean> {
  if (refusal !== undefined) {
    refuse(refusal, response)
    return true
  }
  if (answer?.delayMs !== undefined) await wait(answer.delayMs)
  if (answer?.redirect !== undefined) {
    response.writeHead(302, { location: answer.redirect, 'content-length': 0 }).end()
    return true
  }
  if (answer?.silence === undefined) return false
  log.end = answer.silence
  await endResponse(response, answer.silence)
  return true
}

function refuse({ status, retryAfter, body }: Refusal, response: ServerResponse): void {
  if (retryAfter !== null) response.setHeader('retry-after', String(retryAfter))
  if (body === 'empty') response.writeHead(status, { 'content-length': 0 }).end()
  else if (body === 'html') sendText(response, status, `<html><body><h1>${status}</h1></body></html>`, htmlType)
  else sendJson(response, status, new ServiceError(status, 'A fault that was asked for').toBody())
}

const htmlType = 'text/html; charset=utf-8'

function toNotFound(method: string, endpoint: ServedEndpoint | null): ServiceError {
  if (endpoint === null) return new ServiceError(404, 'The sandbox serves nothing at this path')
  const allowed = endpoint === usersCreate ? 'POST' : endpoints[endpoint].method
  return new ServiceError(405, `This path does not take ${method}`, { headers: { allow: allowed } })
}

function sendError(error: Error, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const answer = toServiceError(error)
  sendJson(response, answer.status, answer.toBody(), answer.headers)
}

function toServiceError(error: Error): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError(error instanceof CatalogueError ? 400 : 500, error.message)
}
