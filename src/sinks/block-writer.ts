/** From this size on bytes are passed on as they are: a copy would cost more than a call of its own. */
const passThroughBytes = 64 * 1024

/**
 * Turns writes of any size into blocks of about `blockBytes`, written one at a time and in order. At most one block is being
 * written, one waits and one is filled, so memory is bounded for callers that await each write.
 */
export class BlockWriter {
  readonly #writeBlock: (block: Uint8Array) => Promise<void>
  readonly #release: (bytes: Uint8Array) => void
  readonly #blockBytes: number
  #open: Buffer | undefined
  #filled = 0
  #waiting: Uint8Array[] = []
  #current: Promise<void> = Promise.resolve()
  #draining: Promise<void> | undefined
  #failure: { readonly thrown: unknown } | undefined

  /** `release` is told of bytes that are written, or copied into a block. */
  constructor(
    writeBlock: (block: Uint8Array) => Promise<void>,
    release: (bytes: Uint8Array) => void = () => undefined,
    blockBytes = 256 * 1024,
  ) {
    this.#writeBlock = writeBlock
    this.#release = release
    this.#blockBytes = blockBytes
  }

  /**
   * Takes the bytes in the order of the calls and keeps them: the caller must not change them. Rejects with the first
   * failure.
   */
  async write(bytes: Uint8Array): Promise<void> {
    this.#throwFailure()
    this.#take(bytes)
    while (this.#waiting.length > 1) await this.#current
  }

  /** Resolves when all bytes taken are written. */
  async flush(): Promise<void> {
    this.#closeBlock()
    await this.#draining
    this.#throwFailure()
  }

  #take(bytes: Uint8Array): void {
    const passThrough = bytes.length >= Math.min(passThroughBytes, this.#blockBytes)
    if (passThrough || this.#filled + bytes.length > this.#blockBytes) this.#closeBlock()
    if (passThrough) return this.#enqueue(bytes)
    // Without the pool that small Buffers share: a block lives longer than they do.
    this.#open ??= Buffer.allocUnsafeSlow(this.#blockBytes)
    this.#open.set(bytes, this.#filled)
    this.#filled += bytes.length
    this.#release(bytes)
  }

  #closeBlock(): void {
    if (this.#open === undefined || this.#filled === 0) return
    const block = this.#open.subarray(0, this.#filled)
    this.#open = undefined
    this.#filled = 0
    this.#enqueue(block)
  }

  #enqueue(block: Uint8Array): void {
    this.#waiting.push(block)
    this.#draining ??= this.#drain()
  }

  /** Never rejects: the failure is what the next call throws. */
  async #drain(): Promise<void> {
    try {
      for (let block = this.#waiting.shift(); block !== undefined; block = this.#waiting.shift()) {
        this.#current = this.#writeBlock(block)
        await this.#current
        this.#release(block)
      }
    } catch (thrown) {
      this.#failure = { thrown }
      this.#waiting = []
    }
    this.#draining = undefined
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }
}
