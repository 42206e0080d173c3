import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { messageOf } from '../errors.ts'
import { misuse } from '../check-options.ts'

/** What a stream of the caller is called in reports and messages. */
export const streamName = '<stream>'

/** Bytes or text of any kind of stream as a Node stream of bytes. Destroying it ends the other, even if that stalls. */
export class ByteStream extends Readable {
  readonly #source: AsyncIterable<unknown>
  readonly #chunks: AsyncIterator<unknown>

  constructor(source: AsyncIterable<unknown>) {
    super()
    this.#source = source instanceof ReadableStream ? Readable.fromWeb(source) : source
    this.#chunks = this.#source[Symbol.asyncIterator]()
  }

  override _read(): void {
    this.#take().catch((error: unknown) => this.destroy(error as Error))
  }

  /**
   * Does not wait for the other end: an iterator takes its return only behind the read that is under way. What that end
   * fails with comes too late for the reading, and is a warning of the process.
   */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#source instanceof Readable) this.#source.destroy()
    else void this.#leave()
    done(error)
  }

  async #leave(): Promise<void> {
    try {
      await this.#chunks.return?.()
    } catch (thrown) {
      process.emitWarning(`a stream given to \`from\` failed when it was closed: ${messageOf(thrown)}`)
    }
  }

  async #take(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done === true) this.push(null)
    else if (typeof next.value === 'string' || next.value instanceof Uint8Array) this.push(next.value)
    else throw misuse('from', 'a stream of bytes or text', next.value)
  }
}
