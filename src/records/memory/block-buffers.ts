import type { MemorySpace } from './memory-space.ts'

/**
 * Reused buffers for blocks. Filling memory that is in use already costs a tenth of filling new memory. Threads share
 * the buffers: transferred ones count as new memory in the other thread, and V8 then collects its heap more often. In
 * the memory of an encoder, a block is encoded without a copy.
 */
export class BlockBuffers {
  readonly #space: MemorySpace | null
  readonly #free: Buffer[] = []
  readonly countLineBreaks: (bytes: Buffer) => number

  constructor(space: MemorySpace | null = null, countLineBreaks = countOneByOne) {
    this.#space = space
    this.countLineBreaks = countLineBreaks
  }

  /** Gives a buffer of at least this size; its content is undefined. */
  take(bytes: number): Buffer {
    if (bytes > usualBytes) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? this.#make()
  }

  /** Takes back a buffer of `take` that nobody reads any more. */
  release(buffer: Buffer): void {
    if (buffer.buffer instanceof SharedArrayBuffer && buffer.length === usualBytes) this.#free.push(buffer)
  }

  #make(): Buffer {
    if (this.#space === null) return Buffer.from(new SharedArrayBuffer(usualBytes))
    const { address } = this.#space.take(usualBytes + bytesBehind)
    return this.#space.view({ address, bytes: usualBytes })
  }
}

export function countOneByOne(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

const newline = 0x0a

const usualBytes = 1.25 * 1024 * 1024

/** A scan writes and reads this far after the bytes of a block. */
const bytesBehind = 256
