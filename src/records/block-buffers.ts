/**
 * Buffers for blocks, used again and again: to fill memory that is in use already costs a tenth of what new memory
 * does. Other threads see the same bytes.
 */
export class BlockBuffers {
  readonly #free: Buffer[] = []

  /** A buffer with room for so many bytes, which hold anything. */
  take(bytes: number): Buffer {
    if (bytes > usualBytes) return Buffer.from(new SharedArrayBuffer(bytes))
    return this.#free.pop() ?? Buffer.from(new SharedArrayBuffer(usualBytes))
  }

  /** Takes back what `take` gave and nobody uses any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === usualBytes) this.#free.push(buffer)
  }
}

/** A block of 1 MiB, with room for the end of its last line. */
const usualBytes = 1.25 * 1024 * 1024
