import * as layout from './inflate-layout.ts'
import { KernelThreads, type RunByThread } from './kernel-threads.ts'
import { MemorySpace } from './memory-space.ts'

/**
 * Inflates deflated bytes (RFC 1951) by native code, in a memory of its own that serves one stream after the other and by a
 * thread of its own.
 */
export class Inflater {
  readonly #space = new MemorySpace()
  readonly #kernel = this.#space.kernel as unknown as InflateKernel
  #thread: KernelThreads | null = null
  readonly #state = this.#space.take(layout.inflateStateBytes)
  readonly #input = this.#space.take(pieceBytes)
  readonly #output = this.#space.take(windowBytes + pieceBytes + layout.inflateSlack)
  #isEnded = false

  /** Starts the thread. Has to be called before the first stream, and after `close`. */
  open(): void {
    this.#thread = KernelThreads.open(1)
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The CRC-32 of what the stream has inflated to so far. */
  get sum(): number {
    return this.#word(layout.inflateSum)
  }

  begin(): void {
    this.#space.view(this.#state).fill(0)
    this.#setWord(layout.inflateWindow, this.#start)
    this.#setWord(layout.inflateOutput, this.#start)
    this.#setWord(layout.inflateLimit, this.#start + pieceBytes)
    this.#isEnded = false
  }

  /**
   * Yields what the bytes inflate to, in pieces that are valid until the next one is taken. Returns how many bytes are
   * behind the end of the stream. Throws InflateError.
   */
  async *inflate(bytes: Uint8Array): AsyncGenerator<Buffer, number> {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + pieceBytes)
      this.#space.view(this.#input).set(piece)
      const used = yield* this.#inflatePiece(piece.length)
      at += used
      if (this.#isEnded) return bytes.length - at
    }
    return 0
  }

  async *#inflatePiece(bytes: number): AsyncGenerator<Buffer, number> {
    const { address } = this.#input
    this.#setWord(layout.inflateInput, address)
    this.#setWord(layout.inflateInputEnd, address + bytes)
    for (;;) {
      const from = this.#word(layout.inflateOutput)
      const status = await this.#run()
      const next = this.#word(layout.inflateOutput)
      if (next > from) yield this.#space.view({ address: from, bytes: next - from })
      switch (status) {
        case layout.inflateNeedsInput:
          return bytes
        case layout.inflateEnded:
          this.#isEnded = true
          return this.#word(layout.inflateInput) - address
        case layout.inflateFull:
          this.#moveWindow()
          break
        default:
          throw new InflateError(reasons[status - layout.inflateBlockType] ?? `status ${status}`)
      }
    }
  }

  /** Returns a status. */
  #run(): Promise<number> {
    if (this.#thread === null) throw new TypeError('expected an open inflater of native code')
    return this.#thread.run(this.#kernel.inflateOn, this.#state.address)
  }

  /** Keeps what matches may repeat, before the beginning of the output. */
  #moveWindow(): void {
    const next = this.#word(layout.inflateOutput)
    const kept = Math.min(next - this.#word(layout.inflateWindow), windowBytes)
    this.#space.bytes.copyWithin(this.#start - kept, next - kept, next)
    this.#setWord(layout.inflateWindow, this.#start - kept)
    this.#setWord(layout.inflateOutput, this.#start)
  }

  get #start(): number {
    return this.#output.address + windowBytes
  }

  #word(offset: number): number {
    return this.#space.word(this.#state.address + offset)
  }

  #setWord(offset: number, value: number): void {
    this.#space.setWord(this.#state.address + offset, value)
  }
}

export class InflateError extends Error {}

const windowBytes = 32 * 1024
/** Small enough for input and output to stay in a core's cache. */
const pieceBytes = 256 * 1024

/** As zlib says it, by status. */
const reasons = [
  'invalid block type',
  'invalid stored block lengths',
  'too many length or distance symbols',
  'invalid code lengths set',
  'invalid bit length repeat',
  'invalid code -- missing end-of-block',
  'invalid literal/lengths set',
  'invalid distances set',
  'invalid literal/length code',
  'invalid distance code',
  'invalid distance too far back',
]

interface InflateKernel {
  readonly inflateOn: RunByThread
}
