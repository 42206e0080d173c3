import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AnswerFault } from '../server/parse-fault.ts'
import type { OpenRequest } from '../server/request-log.ts'
import { endResponse, sendText } from '../server/send-answer.ts'
import { ServiceError } from '../server/service-error.ts'
import { createImageFile } from './image-file.ts'

export interface ImageRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly fault: AnswerFault
  readonly response: ServerResponse
  readonly log: OpenRequest
  readonly day: number
}

/**
 * Throws a 403 without a User-Agent (specification: Authentication), and a 400 for credentials: images need none, and
 * no key should be sent to their host.
 */
export function checkImageHeaders({ authorization, 'user-agent': userAgent = '' }: IncomingHttpHeaders): void {
  if (userAgent.trim() === '')
    throw new ServiceError(403, 'An image needs a User-Agent header that identifies the client')
  if (authorization !== undefined)
    throw new ServiceError(400, 'An image needs no credentials: a key was sent to its host')
}

/**
 * Answers with a file, or with 304 if the client has it. A file counts as one record, so `cut=0.5` sends half of it.
 */
export async function serveImage({ method, path, headers, fault, response, log, day }: ImageRequest): Promise<void> {
  const file = createImageFile(path, day)
  if (method !== 'GET' && method !== 'HEAD') throw new ServiceError(405, 'A file is read with GET')
  if (file === null) throw new ServiceError(404, 'There is no such file')
  if (fault.malformed !== undefined) {
    sendText(response, 200, '<!doctype html><title>Sorry</title>', { 'content-type': 'text/html; charset=utf-8' })
    return
  }
  const { bytes, contentType, etag } = file
  if (hasEtag(headers['if-none-match'], etag)) {
    response.writeHead(304, { etag }).end()
    return
  }
  const { end, total, bytesPerSecond } = fault
  const isShort = end?.how === 'short' || end?.how === 'error-line'
  const length = total?.is ?? bytes.length + (total?.add ?? 0)
  response.writeHead(200, { 'content-type': contentType, etag, ...(isShort ? {} : { 'content-length': length }) })
  if (method === 'HEAD') return void response.end()
  log.records = 1
  const sent = end === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length * Math.min(1, end.after)))
  await writeSlowly(response, sent, bytesPerSecond)
  log.bytes = sent.length
  // A length that is too long shows only if the connection ends.
  const how = end === undefined ? (length > bytes.length ? 'cut' : 'complete') : isShort ? 'complete' : end.how
  await endResponse(response, how)
  if (how !== 'complete') log.end = how
}

function hasEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((each) => each.trim() === etag || each.trim() === '*')
}

async function writeSlowly(response: ServerResponse, bytes: Buffer, bytesPerSecond = Number.POSITIVE_INFINITY) {
  const piece = Math.max(1, Math.floor(bytesPerSecond / 10))
  for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
    if (at > 0) await wait(100)
    response.write(bytes.subarray(at, at + piece))
  }
}
