import { readFileSync } from 'node:fs'
import type { PageKernels } from './page-kernels.ts'

/** The memory in which a thread encodes row groups, and the module that works in it. */
export class PageMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 2 })
  readonly kernels = loadKernels(this.#memory)
  #bytes = Buffer.from(this.#memory.buffer)
  #words = new Uint32Array(this.#memory.buffer)
  #end = pageBytes

  /** A view that is valid until the next `take`. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes
  }

  /** The little-endian word at an address that is a multiple of 4. */
  wordAt(address: number): number {
    return this.#words[address >> 2] as number
  }

  /** With a buffer of its own: it goes to other threads. */
  copy(start: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer.slice(start, start + bytes))
  }

  /** The address of so many bytes, at a multiple of 16. Behind them 64 may be read and written that mean nothing. */
  take(bytes: number): number {
    const address = this.#end
    this.#end += Math.ceil((bytes + spareBytes) / 16) * 16
    const missing = this.#end - this.#memory.buffer.byteLength
    if (missing > 0) this.#grow(Math.ceil(missing / pageBytes))
    return address
  }

  /** Where the next that is taken will be, for `release`. */
  get end(): number {
    return this.#end
  }

  /** Gives back all that was taken from `end` on. */
  release(end = pageBytes): void {
    this.#end = end
  }

  #grow(pages: number): void {
    this.#memory.grow(pages)
    this.#bytes = Buffer.from(this.#memory.buffer)
    this.#words = new Uint32Array(this.#memory.buffer)
  }
}

/** src/formats/parquet/pages.wasm is built from wasm/parquet/ by `npm run wasm`. */
function loadKernels(memory: WebAssembly.Memory): PageKernels {
  const module = new WebAssembly.Module(readFileSync(new URL('pages.wasm', import.meta.url)))
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as PageKernels
}

function abort(): never {
  throw new Error('the module of the Parquet encoder has aborted')
}

/** The first page stays the module's own. */
const pageBytes = 65_536
const spareBytes = 64
