import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Dispatcher } from 'undici'
import { parseRetryAfter } from '../service/http/http-transport.ts'
import { describeTransportFailure } from '../service/http/transport-failure.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import { flushFile } from '../storage/file-system.ts'
import { outputOperation } from '../storage/output-operation.ts'
import type { MissingReason } from './media-entry.ts'
import { findPrivateAddress, type MediaTransport } from './media-transport.ts'
import { readHeader, type MediaHeader } from './read-header.ts'

export interface FetchedFile {
  readonly kind: 'fetched'
  readonly bytes: number
  readonly sha256: string
  readonly header: MediaHeader
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface FetchFailure {
  readonly kind: 'failed'
  readonly reason: MissingReason
  readonly detail: string
  readonly mayRepeat: boolean
  readonly retryAfterMs: number | null
}

export type FileAnswer = FetchedFile | FetchFailure | { readonly kind: 'unchanged' }

export interface FileRequest {
  readonly url: string
  /** Path to write to; replaces the bytes of an earlier try. */
  readonly part: string
  readonly condition: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export type RequestPlan = Pick<MediaPlan, 'userAgent' | 'maxBytes' | 'limits' | 'totalTimeoutMs'>

const mostRedirects = 5

/** Requests a file once and follows permitted redirects. Throws only if the disk fails or `signal` aborts. */
export async function requestFile(
  { url, part, condition, signal }: FileRequest,
  plan: RequestPlan,
  transport: MediaTransport,
): Promise<FileAnswer> {
  const target = parseAddress(url)
  if ('kind' in target) return target
  const total = startTimeout(plan.totalTimeoutMs, signal)
  const headers = { 'user-agent': plan.userAgent, accept: '*/*', 'accept-encoding': 'identity', ...condition }
  let at = target
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await transport.get(at, headers, total.signal)
      // A body that is not read to its end may still emit an error.
      answer.body.on('error', () => undefined)
      const location = answer.headers['location']
      if (
        answer.statusCode < 300 ||
        answer.statusCode === 304 ||
        answer.statusCode > 399 ||
        typeof location !== 'string'
      )
        return await take(
          answer,
          { part, isConditional: 'if-none-match' in condition || 'if-modified-since' in condition },
          plan,
        )
      answer.body.destroy()
      if (redirects === mostRedirects) return failure('redirects', `more than ${mostRedirects} redirects`)
      const next = followRedirect(at, location)
      if ('kind' in next) return next
      at = next
    }
  } catch (error) {
    if (signal.aborted || isOfDisk(error)) throw error
    if (total.signal.aborted) return failure('timeout', `not whole within ${plan.totalTimeoutMs / 1000} s`, true)
    return toFailure(error, at, plan)
  } finally {
    total.end()
  }
}

/**
 * Creates a signal that aborts after a time or with `outer`. `AbortSignal.timeout` and `any` would hold theirs for
 * minutes, for each of a million files.
 */
function startTimeout(ms: number, outer: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = (): void => controller.abort(outer.reason)
  const timer = setTimeout(() => controller.abort(), ms)
  if (outer.aborted) abort()
  else outer.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    },
  }
}

function parseAddress(text: string): URL | FetchFailure {
  if (!URL.canParse(text)) return failure('bad-address', 'no URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failure('bad-address', `expected http or https, got ${url.protocol.slice(0, 20)}`)
  if (url.username !== '' || url.password !== '')
    return failure('refused-address', 'the address holds a user or a password')
  return url
}

function followRedirect(from: URL, location: string): URL | FetchFailure {
  const next = parseAddress(URL.canParse(location, from.href) ? new URL(location, from).href : location)
  if ('kind' in next || from.protocol === next.protocol || next.protocol === 'https:') return next
  return failure('refused-address', `a redirect from https to http, ${next.origin}`)
}

/** Interprets an answer, and writes its body to the disk if it is a file. */
async function take(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { part, isConditional }: { readonly part: string; readonly isConditional: boolean },
  { maxBytes }: RequestPlan,
): Promise<FileAnswer> {
  if (status === 304 && isConditional) {
    body.destroy()
    return { kind: 'unchanged' }
  }
  if (status !== 200) {
    body.destroy()
    return toRefusal(status, headers)
  }
  const stated = Number(headers['content-length'] ?? Number.NaN)
  if (stated > maxBytes) {
    body.destroy()
    return failure('too-large', `${stated} bytes, at most ${maxBytes} are downloaded`)
  }
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding !== 'identity' && encoding !== '') {
    body.destroy()
    return failure('failed', `expected the bytes as they are, got them as ${encoding.slice(0, 40)}`)
  }
  const written = await writePart(part, body, maxBytes)
  if (written === null) return failure('too-large', `more than ${maxBytes} bytes`)
  const header = written.bytes === 0 ? null : readPartHeader(part, written.bytes)
  if (header === null) return failure('not-media', describeContent(headers, written.bytes))
  if (!header.isWhole)
    return failure('truncated', `the ${header.extension} has no end after ${written.bytes} bytes`, true)
  return {
    kind: 'fetched',
    ...written,
    header,
    etag: toText(headers['etag']),
    lastModified: toText(headers['last-modified']),
  }
}

function toRefusal(status: number, headers: Dispatcher.ResponseData['headers']): FetchFailure {
  if (status === 404 || status === 410) return failure('not-found', `status ${status}`)
  const mayRepeat = status === 408 || status === 425 || status === 429 || status >= 500
  const date = Date.parse(toText(headers['date']) ?? '')
  const retryAfterMs = parseRetryAfter(toText(headers['retry-after']) ?? undefined, {
    now: Date.now(),
    date: Number.isNaN(date) ? null : new Date(date),
  })
  const isClients = status >= 400 && status < 500 && !mayRepeat
  const hint =
    status === 403 ? ', as hosts do if they do not accept the User-Agent, or if a signed address has expired' : ''
  return {
    kind: 'failed',
    reason: isClients ? 'refused' : 'failed',
    detail: `status ${status}${hint}`,
    mayRepeat,
    retryAfterMs,
  }
}

/** Writes the body and flushes it; null if it is larger than allowed. */
async function writePart(
  path: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly bytes: number; readonly sha256: string } | null> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await onDisk(path, () => open(path, 'w'))
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) return null
      hash.update(chunk)
      await onDisk(path, () => writeAll(file, chunk))
    }
    await onDisk(path, () => flushFile(file))
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

/** Marks failures of the disk: they end the download, whereas failures of a host cost one file. */
async function onDisk<Result>(path: string, operation: () => Promise<Result>): Promise<Result> {
  return outputOperation(path, 'written', operation)
}

function isOfDisk(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'OUTPUT_FAILED' || code === 'OUTPUT_REFUSED'
}

function readPartHeader(path: string, bytes: number): MediaHeader | null {
  const file = openSync(path, 'r')
  try {
    const read = (offset: number, length: number): Buffer => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, bytes - offset)))
      return buffer.subarray(0, buffer.length === 0 ? 0 : readSync(file, buffer, 0, buffer.length, offset))
    }
    return readHeader(read, bytes)
  } finally {
    closeSync(file)
  }
}

function describeContent(headers: Dispatcher.ResponseData['headers'], bytes: number): string {
  if (bytes === 0) return 'an empty answer'
  const type = toText(headers['content-type'])?.slice(0, 80) ?? 'no content type'
  return `${bytes} bytes of ${type} that are no image and no PDF`
}

function toText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value.length <= 1000 ? value : null
}

function toFailure(error: unknown, { hostname }: URL, { limits }: RequestPlan): FetchFailure {
  const hidden = findPrivateAddress(error)
  if (hidden !== null) return failure('refused-address', hidden.message)
  const { reason, isPermanent } = describeTransportFailure(error, { host: hostname, proxyHost: null, limits })
  const { code } = (error ?? {}) as { readonly code?: unknown }
  const isLate = typeof code === 'string' && code.endsWith('TIMEOUT')
  return failure(isLate ? 'timeout' : 'unreachable', reason, !isPermanent)
}

function failure(reason: MissingReason, detail: string, mayRepeat = false): FetchFailure {
  return { kind: 'failed', reason, detail, mayRepeat, retryAfterMs: null }
}
