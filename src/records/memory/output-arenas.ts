import { copyBytes, toOwnBytes } from './copy-bytes.ts'
import type { MemoryRange, MemorySpace } from './memory-space.ts'

/** Holds the pieces of one block, one after another, in reused memory. */
export class OutputArena {
  readonly room: MemoryRange
  readonly #space: MemorySpace
  #end: number
  #addedBytes = 0

  constructor(space: MemorySpace, room: MemoryRange) {
    this.#space = space
    this.room = room
    this.#end = room.address
    // Another thread may have taken the room.
    space.cover(room)
  }

  get end(): number {
    return this.#end
  }

  get limit(): number {
    return this.room.address + this.room.bytes
  }

  get addedBytes(): number {
    return this.#addedBytes
  }

  addWritten(bytes: number): Uint8Array {
    const piece = this.#space.view({ address: this.#end, bytes })
    this.#addedBytes += bytes
    this.#end += bytes
    return piece
  }

  /** Adds a copy of bytes; in memory of its own if the room is full. */
  add(bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    if (this.#end + length <= this.limit) {
      copyBytes(bytes, this.#space.view({ address: this.#end, bytes: length }), 0)
      return this.addWritten(length)
    }
    this.#addedBytes += length
    return toOwnBytes(bytes)
  }
}

/** Opens arenas of the size that blocks usually need, in the room of an earlier block if it is large enough. */
export class OutputArenas {
  readonly #space: MemorySpace
  #neededBytes = stepBytes

  constructor(space: MemorySpace) {
    this.#space = space
  }

  /** Takes more than is needed: room that proves too small is no use for later blocks of any thread. */
  open(room: MemoryRange | undefined): OutputArena {
    if (room !== undefined && room.bytes >= this.#neededBytes) return new OutputArena(this.#space, room)
    if (room !== undefined) this.#space.release(room)
    const bytes = Math.ceil((this.#neededBytes * 1.25) / stepBytes) * stepBytes
    return new OutputArena(this.#space, this.#space.take(bytes))
  }

  /** Learns from a block what the next may need. Encoders ask for a little more room than they use. */
  learn({ addedBytes }: OutputArena): void {
    if (addedBytes <= mostBytes) this.#neededBytes = Math.max(this.#neededBytes, addedBytes + stepBytes)
  }
}

const stepBytes = 64 * 1024
/** A block with more output, for instance of a very long line, is no measure for others. */
const mostBytes = 16 * 1024 * 1024
