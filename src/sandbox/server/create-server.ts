import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CatalogueError } from '../../errors.ts'
import { endpoints } from '../../api/endpoints.ts'
import { controlPath } from './add-day-routes.ts'
import type { FaultQueue, Mishap } from './fault-queue.ts'
import { hasCredentials } from './has-credentials.ts'
import { meetMishap } from './meet-mishap.ts'
import type { RateLimit } from './rate-limit.ts'
import type { OpenRequest, RequestLog } from './request-log.ts'
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
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before anything else happens to a request. */
    visit: { readonly log: OpenRequest; mishap?: Mishap }
  }
}

/** Room for far more identifiers than are allowed, so that these are what is answered to. */
const mostBodyBytes = 16 * 1024 * 1024

/**
 * A server, not listening yet, that has no routes but does what the service does with every request: credentials, rate,
 * errors as JSON. Faults that come before an answer happen here too.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const server = fastify({ forceCloseConnections: true, bodyLimit: mostBodyBytes, exposeHeadRoutes: false })
  server.decorateRequest('visit')
  server.addHook('onRequest', (request, reply) => receive(request, reply, options))
  server.addHook('preHandler', async ({ visit, body }) => {
    visit.log.body = body
  })
  server.addHook('onResponse', async ({ visit }, reply) => finishLog(visit.log, reply))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => parseBody(body),
  )
  server.setErrorHandler((error: FastifyError, _request, reply) => sendError(toServiceError(error), reply))
  server.setNotFoundHandler((request) => {
    throw toNotFound(request)
  })
  return server
}

async function receive(request: FastifyRequest, reply: FastifyReply, options: ServerOptions): Promise<void> {
  const { rateLimit, faults, log, now } = options
  const { method, url, headers } = request
  const endpoint = toEndpointName(url)
  request.visit = { log: log.add({ at: now(), method, url, endpoint, headers }) }
  reply.raw.setHeader('date', new Date(now()).toUTCString())
  if (!hasCredentials(headers.authorization, options.keyId, options.keySecret)) {
    const challenge = { 'www-authenticate': 'Basic realm="catalogue"' }
    throw new ServiceError(401, 'The API key id or secret is wrong or missing', { headers: challenge })
  }
  if (url.startsWith(controlPath)) return
  const secondsToWait = rateLimit?.take()
  if (secondsToWait !== undefined) {
    throw new ServiceError(429, 'Too many requests a minute', { headers: { 'retry-after': String(secondsToWait) } })
  }
  if (endpoint === null) return
  const mishap = faults.take(endpoint, headers['x-sandbox-fault'] as string | undefined)
  if (mishap === undefined) return
  request.visit.mishap = mishap
  request.visit.log.fault = mishap.fault
  await meetMishap(mishap, reply, request.visit.log)
}

/** `v4/products/stream`; null where there is none. */
function toEndpointName(url: string): ServedEndpoint | null {
  const name = url.split('?', 1)[0]!.slice(1)
  return isServedEndpoint(name) ? name : null
}

function finishLog(log: OpenRequest, { raw }: FastifyReply): void {
  log.status = raw.headersSent ? raw.statusCode : null
  if (log.end === 'open') log.end = raw.writableFinished ? 'complete' : 'aborted'
}

/** An empty body is no body. */
function parseBody(body: string): unknown {
  if (body.trim() === '') return undefined
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new ServiceError(400, `The body is not JSON: ${(error as SyntaxError).message}`)
  }
}

async function sendError(error: ServiceError, reply: FastifyReply): Promise<void> {
  await reply.code(error.status).headers(error.headers).send(error.toBody())
}

function toServiceError(error: Error & { readonly statusCode?: number }): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof CatalogueError) return new ServiceError(400, error.message)
  return new ServiceError(error.statusCode ?? 500, error.message)
}

function toNotFound({ method, visit }: FastifyRequest): ServiceError {
  const { endpoint } = visit.log
  if (endpoint === null) return new ServiceError(404, 'The sandbox serves nothing at this path')
  const allowed = endpoint === usersCreate ? 'POST' : endpoints[endpoint].method
  return new ServiceError(405, `This path does not take ${method}`, { headers: { allow: allowed } })
}
