/**
 * Buffers for blocks, used again and again: to fill memory that is in use already costs a tenth of what new memory
 * does. Threads share them: what is transferred counts as new memory wherever it arrives, for which V8 collects its heap
 * more often.
 */
export class BlockBuffers {
  readonly #free: SharedArrayBuffer[] = []

  /** A buffer with room for so many bytes, which hold anything. */
  take(bytes: number): Buffer {
    if (bytes > usualBytes) return Buffer.allocUnsafeSlow(bytes)
    return Buffer.from(this.#free.pop() ?? new SharedArrayBuffer(usualBytes))
  }

  /** Takes back what `take` gave and nobody uses any more. */
  release({ buffer }: Buffer): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength === usualBytes) this.#free.push(buffer)
  }
}

/** A block of 1 MiB, with room for the end of its last line. */
const usualBytes = 1.25 * 1024 * 1024
