import type { IncomingMessage } from 'node:http'
import { ServiceError } from './service-error.ts'

/** Room for far more identifiers than are allowed, so that a request with too many of them gets the answer to that. */
const maxBodyBytes = 16 * 1024 * 1024

/** The connection can't be used any more: a part of the body may still be on its way. */
const closing = { headers: { connection: 'close' } }

/**
 * The JSON body of a request; undefined where the body is empty, and with GET. Throws a 415 for another media
 * type, a 413 above 16 MiB, a 400 for what is no JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
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
  // Left early, the request has to stay open: its socket sends the answer.
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
