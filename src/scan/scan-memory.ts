/**
 * The one memory of a scan: named regions at absolute addresses, each 64-byte aligned. A region is moved when it grows,
 * and what it held is lost. The first page stays the module's own, so no region is at address 0.
 */
export class ScanMemory {
  readonly #space = new MemorySpace()
  readonly #regions = new Map<string, MemoryRange>()

  get memory(): WebAssembly.Memory {
    return this.#space.memory
  }

  /** The memory as bytes; a view is valid until the next `reserve`. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#space.bytes
  }

  /** The memory as little-endian words: the word of address `a` is `words[a >> 2]`. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#space.words
  }

  /** The address of a region, enlarged where it has less room; a region with enough keeps its address and content. */
  reserve(region: string, bytes: number): number {
    const reserved = this.#regions.get(region)
    if (reserved !== undefined && reserved.bytes >= bytes) return reserved.address
    if (reserved !== undefined) this.#space.release(reserved)
    const taken = this.#space.take(Math.ceil(bytes / 64) * 64)
    this.#regions.set(region, taken)
    return taken.address
  }

  /** A region's address; 0 for one that was never reserved. */
  address(region: string): number {
    return this.#regions.get(region)?.address ?? 0
  }

  /** The size of a region in bytes. */
  capacity(region: string): number {
    return this.#regions.get(region)?.bytes ?? 0
  }
}

/** A region is too small for what a block gives: it is enlarged, and the block is done again. */
export class OutOfRoom extends Error {
  readonly region: string

  constructor(region: string) {
    super(`no room left in region "${region}"`)
    this.region = region
  }
}

interface MemoryRange {
  readonly address: number
  readonly bytes: number
}

/** A memory of WebAssembly that grows, handed out in ranges. The first page stays the module's own. */
class MemorySpace {
  readonly memory = new WebAssembly.Memory({ initial: 2 })
  readonly #holes: MemoryRange[] = []
  #end = pageBytes
  #bytes = Buffer.from(this.memory.buffer)
  #words = new Uint32Array(this.memory.buffer)

  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes
  }

  get words(): Uint32Array<ArrayBuffer> {
    return this.#words
  }

  /** Room of this size, a multiple of 64. */
  take(bytes: number): MemoryRange {
    const at = this.#holes.findIndex((hole) => hole.bytes >= bytes)
    const [hole] = at < 0 ? [] : this.#holes.splice(at, 1)
    if (hole !== undefined) return hole
    const address = this.#end
    this.#end += bytes
    const missing = this.#end + spareBytes - this.memory.buffer.byteLength
    if (missing > 0) this.#grow(Math.ceil(missing / pageBytes))
    return { address, bytes }
  }

  release(range: MemoryRange): void {
    this.#holes.push(range)
  }

  /** Only here the views go stale: the module never grows its memory, and asking for its buffer is slow. */
  #grow(pages: number): void {
    this.memory.grow(pages)
    this.#bytes = Buffer.from(this.memory.buffer)
    this.#words = new Uint32Array(this.memory.buffer)
  }
}

const pageBytes = 65_536
/** Bytes that may be read behind the end of any region: text is read in steps of 16 bytes. */
const spareBytes = 64
