import { copyBytes } from '../records/memory/copy-bytes.ts'

/** The size of a write to the file. Larger writes are passed on uncopied: a copy would save no write. */
const blockBytes = 256 * 1024

/**
 * Joins writes of any size into blocks of about 256 KiB, written one at a time and in order. At most one block is being
 * written, one waits and one is filled, so memory is bounded for callers that await each write.
 */
export class BlockWriter {
  readonly #writeBlock: (block: Uint8Array) => Promise<void>
  #open: Buffer<ArrayBuffer> | undefined
  #filled = 0
  #writing: WaitingBytes | undefined
  #waiting: WaitingBytes[] = []
  #current: Promise<void> = Promise.resolve()
  #draining: Promise<void> | undefined
  #failure: { readonly thrown: unknown } | undefined

  /** `writeBlock` must not keep the block after it resolves: its memory is reused. */
  constructor(writeBlock: (block: Uint8Array) => Promise<void>) {
    this.#writeBlock = writeBlock
  }

  /**
   * Takes the bytes in the order of the calls. Returns undefined if they were copied and there is room for more.
   * Otherwise resolves when there is room or they are written; the caller must not change them before. Rejects with the
   * first failure.
   */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#failure === undefined) this.#take(bytes)
    return this.#failure !== undefined || this.#mustWait(bytes) ? this.#wait(bytes) : undefined
  }

  async flush(): Promise<void> {
    this.#closeBlock()
    await this.#draining
    this.#throwFailure()
  }

  #take(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > blockBytes) this.#closeBlock()
    if (bytes.length >= blockBytes) return this.#enqueue({ bytes, block: null })
    this.#open ??= takeBlock()
    copyBytes(bytes, this.#open, this.#filled)
    this.#filled += bytes.length
  }

  #closeBlock(): void {
    if (this.#open === undefined || this.#filled === 0) return
    this.#enqueue({ bytes: this.#open.subarray(0, this.#filled), block: this.#open })
    this.#open = undefined
    this.#filled = 0
  }

  #enqueue(waiting: WaitingBytes): void {
    this.#waiting.push(waiting)
    this.#draining ??= this.#drain()
  }

  /** Never rejects: the next call throws the failure. */
  async #drain(): Promise<void> {
    try {
      while ((this.#writing = this.#waiting.shift()) !== undefined) {
        this.#current = this.#writeBlock(this.#writing.bytes)
        await this.#current
        release(this.#writing.block)
      }
    } catch (thrown) {
      this.#failure = { thrown }
      this.#writing = undefined
      this.#waiting = []
    }
    this.#draining = undefined
  }

  async #wait(bytes: Uint8Array): Promise<void> {
    this.#throwFailure()
    while (this.#mustWait(bytes)) await this.#current
  }

  #mustWait(bytes: Uint8Array): boolean {
    const { length } = this.#waiting
    return length > 1 || this.#writing?.bytes === bytes || (length > 0 && this.#waiting[0]?.bytes === bytes)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }
}

interface WaitingBytes {
  readonly bytes: Uint8Array
  readonly block: Buffer<ArrayBuffer> | null
}

/** Written blocks, reused by the writers of all files: new memory costs more to fill. */
const freeBlocks: Buffer<ArrayBuffer>[] = []
const mostFreeBlocks = 16

function takeBlock(): Buffer<ArrayBuffer> {
  return freeBlocks.pop() ?? Buffer.from(new ArrayBuffer(blockBytes))
}

function release(block: Buffer<ArrayBuffer> | null): void {
  if (block !== null && freeBlocks.length < mostFreeBlocks) freeBlocks.push(block)
}
