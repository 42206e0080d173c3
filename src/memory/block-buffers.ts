/**
 * Buffers for blocks that are reused: filling memory that is in use already costs a tenth of filling new memory. Threads
 * share them: transferred buffers count as new memory where they arrive, and V8 then collects its heap more often.
 */
export class BlockBuffers {
  readonly #free: SharedArrayBuffer[] = []

  /** Gives a buffer with room for at least these bytes; its content is undefined. */
  take(bytes: number): Buffer {
    if (bytes > usualBytes) return Buffer.allocUnsafeSlow(bytes)
    return Buffer.from(this.#free.pop() ?? new SharedArrayBuffer(usualBytes))
  }

  /** Reuses a buffer that `take` gave and nobody reads any more. */
  release({ buffer }: Buffer): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength === usualBytes) this.#free.push(buffer)
  }
}

/** A block of 1 MiB, with room for the end of its last line. */
const usualBytes = 1.25 * 1024 * 1024
