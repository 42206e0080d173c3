/** Where a region is in a memory. */
export interface MemoryRange {
  readonly address: number
  readonly bytes: number
}

/** A memory that threads share: each opens a `MemorySpace` over it. */
export function createSharedMemory(): WebAssembly.SharedMemory {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: mostPages, shared: true })
  new Uint32Array(memory.buffer)[endWord] = pageBytes / unitBytes
  return memory
}

/**
 * The view that one thread has of a shared memory, which it hands out in ranges and lets grow. The first page stays the
 * module's own, but for its last word, which holds the end of all that was handed out, in any thread.
 */
export class MemorySpace {
  readonly memory: WebAssembly.SharedMemory
  readonly #holes: MemoryRange[] = []
  /** The buffers of the memory that were asked for: each time it grows it gets another, over the same bytes. */
  readonly #buffers = new WeakSet<ArrayBufferLike>()
  #bytes: Buffer<SharedArrayBuffer>
  #words: Uint32Array<SharedArrayBuffer>

  constructor(memory = createSharedMemory()) {
    this.memory = memory
    this.#bytes = Buffer.from(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
    this.#buffers.add(memory.buffer)
  }

  /** The memory as bytes; a view is valid until the next `take`. */
  get bytes(): Buffer<SharedArrayBuffer> {
    return this.#bytes
  }

  /** The memory as little-endian words: the word of address `a` is `words[a >> 2]`. */
  get words(): Uint32Array<SharedArrayBuffer> {
    return this.#words
  }

  /** Room for this many bytes, at a multiple of 64. */
  take(bytes: number): MemoryRange {
    const room = Math.ceil(bytes / unitBytes) * unitBytes
    const at = this.#holes.findIndex((hole) => hole.bytes >= room)
    const [hole] = at < 0 ? [] : this.#holes.splice(at, 1)
    return hole ?? { address: this.#takeEnd(room), bytes: room }
  }

  /** Takes back a range that `take` gave, in this thread or another: this one hands it out again. */
  release(range: MemoryRange): void {
    this.#holes.push(range)
  }

  /** The bytes of a range that any thread has taken. */
  view({ address, bytes }: MemoryRange): Buffer<SharedArrayBuffer> {
    if (address + bytes > this.#bytes.length) this.#refresh()
    return this.#bytes.subarray(address, address + bytes)
  }

  /** Finds the bytes of a view in the memory; null where they are of another. */
  find(view: Uint8Array): MemoryRange | null {
    return this.#buffers.has(view.buffer) ? { address: view.byteOffset, bytes: view.length } : null
  }

  #takeEnd(bytes: number): number {
    const address = Atomics.add(this.#words, endWord, bytes / unitBytes) * unitBytes
    const end = address + bytes + spareBytes
    if (end > this.#bytes.length) this.#refresh()
    if (end > this.#bytes.length) {
      this.memory.grow(Math.ceil((end - this.#bytes.length) / pageBytes))
      this.#refresh()
    }
    return address
  }

  /** Only here the views go stale: the module never grows its memory, and asking for its buffer is slow. */
  #refresh(): void {
    const { buffer } = this.memory
    this.#bytes = Buffer.from(buffer)
    this.#words = new Uint32Array(buffer)
    this.#buffers.add(buffer)
  }
}

const pageBytes = 65_536
const unitBytes = 64
/** 4 GiB, the room of 32-bit addresses. */
const mostPages = 65_536
/** Bytes that may be read behind the end of any range: text is read in steps of 16 bytes. */
const spareBytes = 64
const endWord = pageBytes / 4 - 1
