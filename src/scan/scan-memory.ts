import { copyBytes } from '../memory/copy-bytes.ts'
import { type MemoryRange, MemorySpace } from '../memory/memory-space.ts'

/**
 * The memory of a scan: named regions at absolute addresses, each 64-byte aligned. A region is moved when it grows, and
 * what it held is lost.
 */
export class ScanMemory {
  readonly #space: MemorySpace
  readonly #regions = new Map<string, MemoryRange>()

  constructor(space = new MemorySpace()) {
    this.#space = space
  }

  get memory(): WebAssembly.SharedMemory {
    return this.#space.memory
  }

  /** The memory as bytes; a view is valid until the next `reserve`. */
  get bytes(): Buffer<SharedArrayBuffer> {
    return this.#space.bytes
  }

  /** The little-endian word at an address, a multiple of 4. */
  word(address: number): number {
    return this.#space.word(address)
  }

  setWord(address: number, value: number): void {
    this.#space.setWord(address, value)
  }

  text(address: number, bytes: number, encoding?: 'utf8' | 'latin1'): string {
    return this.#space.text(address, bytes, encoding)
  }

  /** The words from an address up to another; a view is valid until the next `reserve`. */
  wordsIn(start: number, end: number): Uint32Array<SharedArrayBuffer> {
    return this.#space.wordsIn(start, end)
  }

  /** Finds bytes that are in this memory already; null where they are not. */
  find(bytes: Uint8Array): MemoryRange | null {
    return this.#space.find(bytes)
  }

  /** The address of a region, enlarged where it has less room; a region with enough keeps its address and content. */
  reserve(region: string, bytes: number): number {
    const reserved = this.#regions.get(region)
    if (reserved !== undefined && reserved.bytes >= bytes) return reserved.address
    this.release(region)
    const taken = this.#space.take(bytes)
    this.#regions.set(region, taken)
    return taken.address
  }

  /** Gives up a region. */
  release(region: string): void {
    const reserved = this.#regions.get(region)
    if (reserved !== undefined) this.#space.release(reserved)
    this.#regions.delete(region)
  }

  /** Copies bytes to where they stay. Gives the address. */
  place(bytes: Uint8Array): number {
    const range = this.#space.take(bytes.length)
    copyBytes(bytes, this.#space.view(range))
    return range.address
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
