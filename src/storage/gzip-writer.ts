import { pipeline } from 'node:stream/promises'
import { createDeflateRaw, createGzip, type DeflateRaw, type Gzip } from 'node:zlib'

const chunkBytes = 256 * 1024

/**
 * Compresses off the main thread. The header holds no time and no name, and the output does not depend on how the input
 * was cut: with the same zlib, the same bytes give the same file.
 */
export class GzipWriter {
  readonly #gzip: Gzip | DeflateRaw
  readonly #written: Promise<void>
  #stopWaiting: ((failure: unknown) => void) | null = null

  /** `deflate` omits header and trailer, for containers that have their own. */
  constructor(writeChunk: (chunk: Uint8Array) => Promise<void>, form: 'gzip' | 'deflate' = 'gzip') {
    const options = { level: 6, chunkSize: chunkBytes }
    this.#gzip = form === 'gzip' ? createGzip(options) : createDeflateRaw(options)
    this.#written = pipeline(this.#gzip, async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) await writeChunk(chunk)
    })
    // A failure is thrown by the waiting write, the next one or `end`: a destroyed stream may call no callback.
    this.#written.catch((failure: unknown) => this.#stopWaiting?.(failure))
  }

  /** Resolves when the block is compressed and its memory may be reused. Rejects with the failure of `writeChunk`. */
  async write(block: Uint8Array): Promise<void> {
    const failure = await new Promise<unknown>((resolve) => {
      this.#stopWaiting = resolve
      this.#gzip.write(block, resolve)
    })
    if (!failure) return
    // The stream only reports that it was destroyed; this throws the reason.
    await this.#written
    throw failure
  }

  async end(): Promise<void> {
    this.#gzip.end()
    await this.#written
  }

  destroy(): void {
    this.#gzip.destroy()
  }
}
