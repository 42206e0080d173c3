import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { CatalogueError } from '../errors.ts'
import { chooseKernel } from '../records/memory/load-kernel.ts'
import { releaseMemory } from '../records/memory/release-memory.ts'
import type { ByteChunks } from '../records/block.ts'
import { GzipReader } from './gzip-reader.ts'

const readBytes = 1024 * 1024
const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * The bytes of a file or of standard input, decompressed if they are gzip, whatever the name. `onRead` gets the bytes
 * as they are on disk. A chunk is valid as long as `input`'s is, at least until the next one.
 */
export async function* readFileBytes(
  name: string,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
  onRead: (bytes: Buffer) => void = () => undefined,
): ByteChunks {
  const chunks = read(name, input, signal, onRead)
  const { head, rest } = await takeHead(chunks)
  if (!isGzip(head)) {
    if (head.length === 0 && name.endsWith('.gz'))
      throw failed(name, 'expected gzip, got an empty file: it was cut off')
    yield head
    yield* rest
    return
  }
  yield* gunzip(name, head, rest)
}

export function isGzip(head: Buffer): boolean {
  return head.subarray(0, 2).equals(gzipMagic)
}

export function openFile(path: string): Readable {
  return createReadStream(path, { highWaterMark: readBytes })
}

async function* read(
  name: string,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
  onRead: (bytes: Buffer) => void,
): ByteChunks {
  if (input instanceof Readable) addAbortSignal(signal, input)
  const chunks = input[Symbol.asyncIterator]() as ByteChunks
  let room: Buffer | undefined
  try {
    for (;;) {
      const next = await chunks.next(room)
      if (next.done === true) return
      onRead(next.value)
      room = yield next.value
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof CatalogueError) throw error
    throw failed(name, `the read failed: ${(error as Error).message}`, error)
  } finally {
    await chunks.return?.()
  }
}

async function takeHead(chunks: ByteChunks): Promise<{ head: Buffer; rest: ByteChunks }> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return { head, rest: chunks }
}

/** Several gzip members are one stream. */
async function* gunzip(name: string, head: Buffer, rest: ByteChunks): ByteChunks {
  const compressed = joined(head, rest)
  try {
    yield* chooseKernel().addon === null ? gunzipByZlib(compressed) : gunzipByKernel(compressed)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_') !== true) throw error
    const got =
      code === 'Z_BUF_ERROR'
        ? 'an end in the middle: it was cut off, or stray bytes follow it'
        : `damaged data (${message})`
    throw failed(name, `expected whole gzip data, got ${got}`, error)
  }
}

/** Puts the beginning back before the rest, which is closed in any case. */
export async function* joined(head: Buffer, rest: ByteChunks): ByteChunks {
  try {
    yield head
    yield* rest
  } finally {
    await rest.return()
  }
}

async function* gunzipByKernel(compressed: ByteChunks): ByteChunks {
  const gzip = new GzipReader()
  try {
    for await (const chunk of compressed) yield* gzip.push(chunk)
    gzip.end()
  } finally {
    await gzip.close()
  }
}

/** zlib has a thread of its own, which WebAssembly has not. */
async function* gunzipByZlib(compressed: ByteChunks): ByteChunks {
  // `pipeline` requires a callback. Errors also reach the iteration below, which reports them.
  const unzipped = pipeline(compressed, createGunzip(gunzipOptions), () => undefined)
  for await (const chunk of unzipped as AsyncIterable<Buffer<ArrayBuffer>>) {
    yield chunk
    releaseIfFull(chunk)
  }
}

/**
 * With the mark at 1, zlib asks for the next chunk only once it is done with the last one, which the next may
 * overwrite.
 */
const gunzipOptions = { chunkSize: readBytes, writableHighWaterMark: 1 }

/** Frees a buffer that the chunk fills to its end: zlib takes another one for the next. */
function releaseIfFull({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): void {
  if (byteOffset + byteLength === buffer.byteLength) releaseMemory(new Uint8Array(buffer))
}

function failed(name: string, message: string, cause?: unknown): CatalogueError {
  return new CatalogueError('SOURCE_FAILED', `${name}: ${message}`, { cause })
}

/**
 * The bytes of a file, read into the offered room or else in 256 KiB chunks into one buffer: a chunk is valid until the
 * next is read. Ends early if `signal` aborts.
 *
 * Reads in this thread: 450 MB in the system's cache take 20 ms, and 200 ms through the thread pool, whose bytes come
 * from another core's cache. The system reads ahead meanwhile.
 */
export async function* readReusing(path: string, signal: AbortSignal): ByteChunks {
  const file = openSync(path, 'r')
  try {
    const own = Buffer.allocUnsafeSlow(reusedBytes)
    let room: Buffer | undefined
    while (!signal.aborted) {
      const buffer = room?.length ? room : own
      const bytes = readSync(file, buffer, 0, buffer.length, null)
      if (bytes === 0) return
      room = yield buffer.subarray(0, bytes)
      // Lets other tasks run.
      await setImmediate()
    }
  } finally {
    closeSync(file)
  }
}

/** Small enough to stay in a core's cache until the chunk is copied. */
const reusedBytes = 256 * 1024
