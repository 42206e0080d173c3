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
import { endpoints } from '../../service/endpoints/endpoints.ts'
import { CatalogueError } from '../../errors.ts'
import type { AnswerShapes } from '../dialect/answer-shapes.ts'
import { imagesPath } from '../images/image-file.ts'
import { checkImageHeaders, serveImage } from '../images/serve-image.ts'
import type { FaultQueue, InjectedFault } from './fault-queue.ts'
import type { Refusal } from './parse-fault.ts'
import type { RateLimit } from './rate-limit.ts'
import type { OpenRequest, RequestLog } from './request-log.ts'
import { controlPath, type Routes } from './routes.ts'
import { endResponse, sendJson, sendText } from './send-answer.ts'
import { imageFiles, isServedEndpoint, usersCreate, type ServedEndpoint } from './served-endpoints.ts'
import { ServiceError } from './service-error.ts'

export interface ServerOptions {
  readonly keyId: string
  readonly keySecret: string
  readonly rateLimit: RateLimit | undefined
  readonly faults: FaultQueue
  readonly log: RequestLog
  readonly now: () => number
  readonly routes: Routes
  readonly shapes: AnswerShapes
  /** The day whose images are served; null if none are. */
  readonly imageDay: (() => number) | null
}

/** Longer than the pause of clients that keep connections open between requests. */
const keepAliveTimeout = 72_000

/**
 * Creates a server that treats requests like the service: credentials, rate, routes, errors as JSON. Also applies
 * faults that come before an answer.
 */
export function createServer(options: ServerOptions): Server {
  return createHttpServer({ keepAliveTimeout }, (request, response) => {
    void serve(request, response, options)
  })
}

async function serve(request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const { method = '', url = '', headers } = request
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  const { imageDay } = options
  const isImage = imageDay !== null && path.startsWith(imagesPath)
  const endpoint = isImage ? imageFiles : toEndpointName(path)
  const log = options.log.add({ at: options.now(), method, url, endpoint, headers })
  response.setHeader('date', new Date(options.now()).toUTCString())
  response.once('close', () => finishLog(log, response))
  try {
    if (isImage) checkImageHeaders(headers)
    else checkAccess(path, headers, options)
    const injected =
      endpoint === null ? undefined : options.faults.take(endpoint, headers['x-sandbox-fault'] as string | undefined)
    log.fault = injected?.fault ?? null
    if (injected !== undefined && (await answerWithFault(injected, response, log))) return
    if (isImage) {
      const fault = injected?.answer ?? {}
      return await serveImage({ method, path, headers, fault, response, log, day: imageDay() })
    }
    const handle = options.routes.get(`${method} ${path}`)
    if (handle === undefined) throw toNotFound(method, endpoint)
    const body = await readBody(request)
    log.body = body
    await handle({ method, query: parseQuery(query), headers, body, fault: injected?.answer ?? {}, response, log })
  } catch (error) {
    sendError(error as Error, response, options.shapes)
  }
}

/** The endpoint of a path, such as `v4/products/stream`; null if there is none. */
function toEndpointName(path: string): ServedEndpoint | null {
  const name = path.slice(1)
  return isServedEndpoint(name) && name !== imageFiles ? name : null
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

/** Applies the part of a fault that comes before the answer. Returns true if no other answer follows. */
async function answerWithFault(
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
    sendText(response, 302, '', { location: answer.redirect })
    return true
  }
  if (answer?.silence === undefined) return false
  log.end = answer.silence
  await endResponse(response, answer.silence)
  return true
}

function refuse({ status, retryAfter, body }: Refusal, response: ServerResponse): void {
  if (retryAfter !== null) response.setHeader('retry-after', String(retryAfter))
  const html = `<html><body><h1>${status}</h1></body></html>`
  if (body === 'empty') sendText(response, status, '', {})
  else if (body === 'html') sendText(response, status, html, { 'content-type': 'text/html; charset=utf-8' })
  else sendJson(response, status, new ServiceError(status, 'A fault that was asked for').toBody())
}

function toNotFound(method: string, endpoint: ServedEndpoint | null): ServiceError {
  if (endpoint === null) return new ServiceError(404, 'The sandbox serves nothing at this path')
  const allowed = endpoint === usersCreate || endpoint === imageFiles ? 'POST' : endpoints[endpoint].method
  return new ServiceError(405, `This path does not take ${method}`, { headers: { allow: allowed } })
}

/**
 * Reads the JSON body of a request; undefined if it is empty or the method is GET. Throws a 415 for another media type,
 * a 413 above 16 MiB, and a 400 for invalid JSON.
 */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const { method, headers } = request
  if (method === 'GET') return undefined
  const type = headers['content-type']
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (type === undefined && isEmpty) return undefined
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? '')) throw new ServiceError(415, 'Unsupported Media Type')
  const text = await readText(request)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ServiceError(400, `The body is not JSON: ${(error as SyntaxError).message}`, closing)
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw toTooLarge()
  // The request has to stay open after an early exit: its socket sends the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw toTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes).toString()
}

function toTooLarge(): ServiceError {
  return new ServiceError(413, 'Request body is too large', closing)
}

/** Leaves room for far more identifiers than allowed, so a request with too many gets a proper answer. */
const maxBodyBytes = 16 * 1024 * 1024

/** The connection can't be reused: part of the body may still be on its way. */
const closing = { headers: { connection: 'close' } }

function sendError(error: Error, response: ServerResponse, shapes: AnswerShapes): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const answer = toServiceError(error)
  const { contentType, text, saysWhen } = shapes.error(answer)
  const { 'retry-after': when, ...headers } = answer.headers
  sendText(response, answer.status, text, {
    ...headers,
    ...(when === undefined || !saysWhen ? {} : { 'retry-after': when }),
    ...(contentType === null ? {} : { 'content-type': contentType }),
  })
}

function toServiceError(error: Error): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError(error instanceof CatalogueError ? 400 : 500, error.message)
}
