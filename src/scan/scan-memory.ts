import { MemorySpace, type MemoryRange } from './memory-space.ts'

/**
 * The one memory of a scan: named regions at absolute addresses, each 64-byte aligned. A region is moved when it grows,
 * and what it held is lost. The first page stays the module's own, so no region is at address 0.
 */
export class ScanMemory {
  readonly #space: MemorySpace
  readonly #regions = new Map<string, MemoryRange>()

  constructor(space = new MemorySpace()) {
    this.#space = space
  }

  /** The same memory, with regions of its own. */
  share(): ScanMemory {
    return new ScanMemory(this.#space)
  }

  get memory(): WebAssembly.Memory {
    return this.#space.memory
  }

  /** The memory as bytes; a view is valid until the next `reserve`. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#space.bytes
  }

  /** The same as little-endian words: the word of address `a` is `words[a >> 2]`. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#space.words
  }

  /** The address of a region that has room for so many bytes; a region that has keeps its place and content. */
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

  /** How many bytes a region has room for. */
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
