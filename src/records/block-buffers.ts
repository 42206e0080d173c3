/**
 * Buffers for blocks, used again and again: to fill memory that is in use already costs a tenth of what new memory
 * does. They go to other threads and back; shared ones, which nobody would have to give back, are filled ten times
 * more slowly.
 */
export class BlockBuffers {
  readonly #free: ArrayBuffer[] = []

  /** A buffer with room for so many bytes, which hold anything. */
  take(bytes: number): Buffer {
    const buffer = bytes > usualBytes ? undefined : this.#free.pop()
    return Buffer.from(buffer ?? new ArrayBuffer(Math.max(bytes, usualBytes)))
  }

  /** Takes back what `take` gave and nobody uses any more. */
  giveBack(buffer: ArrayBufferLike): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === usualBytes) this.#free.push(buffer)
  }
}

/** A block of 1 MiB, with room for the end of its last line. */
const usualBytes = 1.25 * 1024 * 1024
