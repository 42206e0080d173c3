import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CatalogueError } from '../../errors.ts'

/** The decompressed body of one answer. It can be read once. */
export interface ResponseBody extends AsyncIterable<Buffer> {
  /** Discards what is unread, and closes the connection if anything is. */
  close(): void
}

export interface BodyOptions {
  readonly encoding: string | undefined
  readonly toError: (error: unknown, bytesRead: number) => CatalogueError
}

/**
 * The decompressed bytes of an answer, read from the connection only on demand. Throws SERVICE_FAILED if the encoding
 * is not one that was asked for.
 */
export function openBody(stream: Readable, where: string, { encoding, toError }: BodyOptions): ResponseBody {
  const decoded = decode(stream, encoding)
  if (decoded === null) {
    stream.destroy()
    throw new CatalogueError('SERVICE_FAILED', `${where}: expected gzip or nothing as encoding, got "${encoding}"`)
  }
  return {
    [Symbol.asyncIterator]: () => readBytes(decoded, toError),
    close: () => void decoded.destroy(),
  }
}

function decode(stream: Readable, encoding = 'identity'): Readable | null {
  if (encoding === 'identity' || encoding === '') return stream
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null
  // `pipeline` requires a callback. Errors also reach the iteration, which reports them.
  return pipeline(takeAllAtOnce(stream), createGunzip({ chunkSize: unzippedBytes }), () => undefined)
}

const unzippedBytes = 256 * 1024

/**
 * Takes all buffered bytes at once, again and again. A pipe takes one chunk at a time; undici's parser then reads more
 * from the socket than is consumed and puts the rest back, without a limit and with a copy each time.
 */
async function* takeAllAtOnce(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk as Buffer
}

async function* readBytes(stream: Readable, toError: BodyOptions['toError']): AsyncGenerator<Buffer> {
  let bytesRead = 0
  try {
    for await (const chunk of stream) {
      bytesRead += (chunk as Buffer).length
      yield chunk as Buffer
    }
  } catch (error) {
    throw toError(error, bytesRead)
  } finally {
    stream.destroy()
  }
}

/** The beginning of a body as text: at most `limit` bytes, as far as it can be read. */
export async function readBeginning(body: ResponseBody, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= limit) break
    }
  } catch (error) {
    // The status is what matters; a body that is cut off only gives less detail.
    if (!(error instanceof CatalogueError) || error.code === 'INTERRUPTED') throw error
  }
  return Buffer.concat(chunks).toString('utf8', 0, limit)
}
