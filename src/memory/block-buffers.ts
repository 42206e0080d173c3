import type { MemorySpace } from './memory-space.ts'

/**
 * Buffers for blocks that are reused: filling memory that is in use already costs a tenth of filling new memory. Threads
 * share them: transferred buffers count as new memory where they arrive, and V8 then collects its heap more often. In the
 * memory of an encoder a block is encoded where it was read to.
 */
export class BlockBuffers {
  readonly #space: MemorySpace | null
  readonly #free: Buffer[] = []
  /** Counts the line breaks of a buffer. */
  readonly countLineBreaks: (bytes: Buffer) => number

  constructor(space: MemorySpace | null = null, countLineBreaks = countOneByOne) {
    this.#space = space
    this.countLineBreaks = countLineBreaks
  }

  /** Gives a buffer with room for at least these bytes; its content is undefined. */
  take(bytes: number): Buffer {
    if (bytes > usualBytes) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? this.#make()
  }

  /** Reuses a buffer that `take` gave and nobody reads any more. */
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

/** A block of 1 MiB, with room for the end of its last line. */
const usualBytes = 1.25 * 1024 * 1024

/** Room behind the bytes of a block, which its scan writes and reads. */
const bytesBehind = 256
