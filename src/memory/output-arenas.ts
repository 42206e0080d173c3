import { copyBytes, toOwnBytes } from './copy-bytes.ts'
import type { MemoryRange, MemorySpace } from './memory-space.ts'

/** Holds the pieces of one block, one behind the other, in room that is reused. */
export class OutputArena {
  readonly room: MemoryRange
  readonly #space: MemorySpace
  #end: number
  #addedBytes = 0

  constructor(space: MemorySpace, room: MemoryRange) {
    this.#space = space
    this.room = room
    this.#end = room.address
  }

  /** The address behind the last piece. */
  get end(): number {
    return this.#end
  }

  /** The address behind the room. */
  get limit(): number {
    return this.room.address + this.room.bytes
  }

  /** Bytes of all that was added. */
  get addedBytes(): number {
    return this.#addedBytes
  }

  /** Adds bytes that were written at `end` already, below `limit`. */
  addWritten(bytes: number): Uint8Array {
    const piece = this.#space.view({ address: this.#end, bytes })
    this.#addedBytes += bytes
    this.#end += bytes
    return piece
  }

  /** Copies bytes into the room, or, where none is left, into memory of their own. */
  add(bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    if (this.#end + length <= this.limit) {
      // Another thread may have taken the room: only `view` sees memory that has grown since.
      copyBytes(bytes, this.#space.view({ address: this.#end, bytes: length }), 0)
      return this.addWritten(length)
    }
    this.#addedBytes += length
    return toOwnBytes(bytes)
  }
}

/** Opens arenas of the size that blocks usually need, in the room of an earlier block where that is large enough. */
export class OutputArenas {
  readonly #space: MemorySpace
  #neededBytes = stepBytes

  constructor(space: MemorySpace) {
    this.#space = space
  }

  /** New room is larger than needed: what proves too small is no use for later blocks, in any thread. */
  open(room: MemoryRange | undefined): OutputArena {
    if (room !== undefined && room.bytes >= this.#neededBytes) return new OutputArena(this.#space, room)
    if (room !== undefined) this.#space.release(room)
    const bytes = Math.ceil((this.#neededBytes * 1.25) / stepBytes) * stepBytes
    return new OutputArena(this.#space, this.#space.take(bytes))
  }

  /** Learns from a block what the next may need: encoders ask for a little more room than they use. */
  learn({ addedBytes }: OutputArena): void {
    if (addedBytes <= mostBytes) this.#neededBytes = Math.max(this.#neededBytes, addedBytes + stepBytes)
  }
}

const stepBytes = 64 * 1024
/** A block that becomes more, of a very long line for instance, is no measure for others. */
const mostBytes = 16 * 1024 * 1024
