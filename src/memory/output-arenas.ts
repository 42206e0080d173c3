import { copyBytes, toOwnBytes } from './copy-bytes.ts'

/** Holds the pieces of one block, in a buffer of shared memory that is reused, as those of `BlockBuffers` are. */
export class OutputArena {
  readonly #bytes: Buffer<SharedArrayBuffer>
  #end = 0
  #addedBytes = 0

  constructor(buffer: SharedArrayBuffer) {
    this.#bytes = Buffer.from(buffer)
  }

  /** To be reused when nobody reads the pieces any more. */
  get buffer(): SharedArrayBuffer {
    return this.#bytes.buffer
  }

  /** Bytes of all that was added. */
  get addedBytes(): number {
    return this.#addedBytes
  }

  /** Copies bytes into the buffer, or, where that has no room left, into one of their own. */
  add(bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    this.#addedBytes += length
    if (this.#end + length > this.#bytes.length) return toOwnBytes(bytes)
    const at = this.#end
    copyBytes(bytes, this.#bytes, at)
    this.#end += length
    return new Uint8Array(this.buffer, at, length)
  }
}

/** Opens arenas of the size that blocks usually need, in the buffer of an earlier block where that is large enough. */
export class OutputArenas {
  #usualBytes = 0

  open(buffer: SharedArrayBuffer | undefined): OutputArena {
    const isLarge = buffer !== undefined && buffer.byteLength >= this.#usualBytes
    return new OutputArena(isLarge ? buffer : new SharedArrayBuffer(this.#usualBytes))
  }

  /** Learns from a block what the next may need. */
  learn({ addedBytes }: OutputArena): void {
    if (addedBytes <= this.#usualBytes || addedBytes > mostBytes) return
    this.#usualBytes = Math.ceil((addedBytes * 1.125) / stepBytes) * stepBytes
  }
}

const stepBytes = 64 * 1024
/** A block that becomes more, of a very long line for instance, is no measure for others. */
const mostBytes = 8 * 1024 * 1024
