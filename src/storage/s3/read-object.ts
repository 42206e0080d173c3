import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { CatalogueError } from '../../errors.ts'
import type { ConnectedS3 } from './load-s3.ts'
import type { FoundObject, ObjectRange } from './object-reader.ts'
import { parseObjectPath } from './object-path.ts'
import { objectChanged, readOperation } from './storage-operation.ts'

export interface ReadObjectOptions {
  /** Bytes per request. Default 8 MiB. */
  readonly rangeBytes?: number
  /** Requests that are under way or whose bytes are not taken yet. Default 4. */
  readonly rangesAhead?: number
  /** How often a range is resumed that broke off without another byte. Default 5. */
  readonly attempts?: number
  /** The wait before the second attempt; it doubles each time. Default 200 ms. */
  readonly backOffMs?: number
  /** A connection without a byte for so long counts as broken. Default 60 s. */
  readonly idleTimeoutMs?: number
}

/**
 * Reads an object by several range requests at a time, into reused buffers: memory is that of `rangesAhead` ranges. The
 * first range is smaller and requested alone, for readers that only need the beginning.
 */
export async function* readObject(
  connection: ConnectedS3,
  object: FoundObject,
  { from = 0, until = null, signal }: ObjectRange,
  options: ReadObjectOptions = {},
): AsyncGenerator<Buffer, void, unknown> {
  const { rangeBytes = 8 * 1024 * 1024, rangesAhead = 4 } = options
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const end = Math.min(until ?? object.bytes, object.bytes)
  const free: Buffer[] = []
  const ahead: Promise<Buffer>[] = []
  let position = from
  const request = (most: number): boolean => {
    if (position >= end) return false
    const length = Math.min(most, end - position)
    const into = (free.pop() ?? Buffer.allocUnsafeSlow(Math.min(rangeBytes, end - position))).subarray(0, length)
    const range = readRange(connection, object, { into, position, signal: either }, options)
    // The loop below gets the failure, unless it has ended.
    range.catch(() => undefined)
    ahead.push(range)
    position += length
    return true
  }
  try {
    request(Math.min(beginningBytes, rangeBytes))
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      const range = await next
      while (ahead.length < rangesAhead - 1 && request(rangeBytes));
      for (let at = 0; at < range.length; at += chunkBytes) yield range.subarray(at, at + chunkBytes)
      free.push(Buffer.from(range.buffer))
      if (ahead.length === 0) request(rangeBytes)
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  } finally {
    ended.abort()
    await Promise.allSettled(ahead)
  }
}

const beginningBytes = 2 * 1024 * 1024
/** Small enough to stay in a core's cache until it is copied. */
const chunkBytes = 256 * 1024

export interface FilledRange {
  readonly into: Buffer
  readonly position: number
  readonly signal: AbortSignal
}

/**
 * Reads a range of one version of an object into a buffer, and resumes a broken connection at the byte where it broke.
 * Throws SOURCE_CHANGED if the object was replaced.
 */
export async function readRange(
  connection: ConnectedS3,
  object: FoundObject,
  { into, position, signal }: FilledRange,
  { attempts = 5, backOffMs = 200, idleTimeoutMs = 60_000 }: ReadObjectOptions = {},
): Promise<Buffer> {
  let filled = 0
  for (let failed = 0; filled < into.length;) {
    const body = await openRange(connection, object, [position + filled, position + into.length - 1], signal)
    const before = filled
    try {
      for await (const chunk of withIdleTimeout(body, idleTimeoutMs)) {
        const taken = chunk.copy(into, filled)
        filled += taken
        // A storage may send more than was requested: ignore the rest.
        if (taken < chunk.length) break
      }
      if (filled < into.length) throw brokenOff(`it ended ${into.length - filled} bytes early`)
    } catch (error) {
      signal.throwIfAborted()
      failed = filled > before ? 1 : failed + 1
      if (failed >= attempts) throw neverWhole(object, error as Error, position + filled, failed)
      await wait(backOffMs * 2 ** (failed - 1), undefined, { signal })
    } finally {
      body.destroy()
    }
  }
  return into
}

async function openRange(
  { s3, client }: ConnectedS3,
  { path, etag }: FoundObject,
  [first, last]: readonly [number, number],
  signal: AbortSignal,
): Promise<Readable> {
  const { bucket: Bucket, key: Key } = parseObjectPath(path)
  const input = { Bucket, Key, Range: `bytes=${first}-${last}`, ...(etag !== null && { IfMatch: etag }) }
  const { Body, ETag, ContentRange } = await readOperation(path, () =>
    client.send(new s3.GetObjectCommand(input), { abortSignal: signal }),
  )
  const body = Body as Readable
  // Not every storage supports If-Match.
  if (etag !== null && ETag !== undefined && ETag !== etag) {
    body.destroy()
    throw objectChanged(path, new Error(`expected the version ${etag}, got ${ETag}`))
  }
  const begins = ContentRange === undefined ? 0 : Number(/\d+/.exec(ContentRange)?.[0])
  if (begins === first) return body
  body.destroy()
  const message = `${path}: expected the bytes from ${first} on, got those from ${begins} on`
  throw new CatalogueError('SOURCE_FAILED', message, { cause: new Error('The storage does not give ranges.') })
}

async function* withIdleTimeout(body: Readable, idleTimeoutMs: number): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(brokenOff(`no byte came for ${idleTimeoutMs} ms`)), idleTimeoutMs)
  try {
    for await (const chunk of body) {
      timer.refresh()
      yield chunk as Buffer
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Like a system error, which a retry may get past. */
function brokenOff(reason: string, cause?: Error): Error {
  return Object.assign(new Error(reason, { cause }), { code: 'ECONNRESET', syscall: 'read' })
}

function neverWhole({ path }: FoundObject, cause: Error, position: number, attempts: number): CatalogueError {
  const message = `${path}: the read failed at byte ${position}, ${attempts} times: ${cause.message}`
  return new CatalogueError('SOURCE_FAILED', message, {
    cause: brokenOff(cause.message, cause),
    fix: 'Check the network and the storage, then run again: nothing has to be cleaned up first.',
  })
}
