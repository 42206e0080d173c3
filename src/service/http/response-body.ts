import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CatalogueError } from '../../errors.ts'

/** The body of one answer, decompressed. It can be read once. */
export interface ResponseBody extends AsyncIterable<Buffer> {
  /** Ends it: the rest is not read, and the connection is closed where something is left. */
  close(): void
}

export interface BodyOptions {
  /** The `content-encoding` of the answer. */
  readonly encoding: string | undefined
  /** The error in place of one of the connection or of the decompression. */
  readonly toError: (error: unknown, bytesRead: number) => CatalogueError
}

/**
 * The decompressed bytes of an answer, taken from the connection only as they are asked for. Throws SERVICE_FAILED
 * where the encoding is none that was asked for.
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
  // The callback is for the pipeline's sake: what fails here also fails the iteration, which reports it.
  return pipeline(takeAllAtOnce(stream), createGunzip({ chunkSize: unzippedBytes }), () => undefined)
}

const unzippedBytes = 256 * 1024

/**
 * Everything that has come, at once, then the same again. A pipe takes one chunk at a time; undici's parser then reads
 * more from the socket than is taken from it, and puts it back there, without a limit and copied every time.
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

/** The beginning of a body as text, at most `limit` bytes, as far as it can be read. */
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
    // The status says what matters; a body cut off only says less of it.
    if (!(error instanceof CatalogueError) || error.code === 'INTERRUPTED') throw error
  }
  return Buffer.concat(chunks).toString('utf8', 0, limit)
}
