import { copyBytes } from '../../records/memory/copy-bytes.ts'
import type { KernelFunctions } from '../../records/memory/load-kernel.ts'
import { type MemoryRange, MemorySpace } from '../../records/memory/memory-space.ts'

/**
 * The memory of a scan: named regions at absolute addresses, 64-byte aligned. A region that grows moves, and loses its
 * content.
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

  get kernel(): KernelFunctions {
    return this.#space.kernel
  }

  /** The whole memory; a view is valid until the next `reserve`. */
  get bytes(): Buffer<SharedArrayBuffer> {
    return this.#space.bytes
  }

  word(address: number): number {
    return this.#space.word(address)
  }

  setWord(address: number, value: number): void {
    this.#space.setWord(address, value)
  }

  text(address: number, bytes: number, encoding?: 'utf8' | 'latin1'): string {
    return this.#space.text(address, bytes, encoding)
  }

  wordsIn(start: number, end: number): Uint32Array<SharedArrayBuffer> {
    return this.#space.wordsIn(start, end)
  }

  find(bytes: Uint8Array): MemoryRange | null {
    return this.#space.find(bytes)
  }

  /** The address of a region of at least this size. A region that is large enough keeps its address and content. */
  reserve(region: string, bytes: number): number {
    const reserved = this.#regions.get(region)
    if (reserved !== undefined && reserved.bytes >= bytes) return reserved.address
    this.release(region)
    const taken = this.#space.take(bytes)
    this.#regions.set(region, taken)
    return taken.address
  }

  release(region: string): void {
    const reserved = this.#regions.get(region)
    if (reserved !== undefined) this.#space.release(reserved)
    this.#regions.delete(region)
  }

  place(bytes: Uint8Array): number {
    const range = this.#space.take(bytes.length)
    copyBytes(bytes, this.#space.view(range))
    return range.address
  }

  placeWords(words: readonly number[]): number {
    return this.place(new Uint8Array(Uint32Array.from(words).buffer))
  }

  address(region: string): number {
    return this.#regions.get(region)?.address ?? 0
  }

  capacity(region: string): number {
    return this.#regions.get(region)?.bytes ?? 0
  }
}

/** Thrown if a region is too small for a block. It is enlarged, and the block is done again. */
export class OutOfRoom extends Error {
  readonly region: string

  constructor(region: string) {
    super(`no room left in region "${region}"`)
    this.region = region
  }
}
