import { kernelBytes, loadKernel } from '../../records/memory/load-kernel.ts'
import { mostPages } from '../../records/memory/memory-space.ts'

export class PageMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: mostPages, shared: true })
  readonly #kernel = loadKernel(this.#memory)
  readonly kernels = this.#kernel.functions as unknown as PageKernels
  #bytes = Buffer.from(this.#memory.buffer)
  #words = new Uint32Array(this.#memory.buffer)
  #end = kernelBytes

  /** A view that is valid until the next `take`. */
  get bytes(): Buffer<SharedArrayBuffer> {
    return this.#bytes
  }

  /** Reads the little-endian word at an address that is a multiple of 4. */
  wordAt(address: number): number {
    return this.#words[address >>> 2] as number
  }

  copy(start: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.subarray(start, start + bytes))
  }

  /**
   * Reserves bytes, at an address that is a multiple of 16. The 64 bytes after them may be read and written, and mean
   * nothing.
   */
  take(bytes: number): number {
    const address = this.#end
    this.#end += Math.ceil((bytes + spareBytes) / 16) * 16
    const missing = this.#end - this.#memory.buffer.byteLength
    if (missing > 0) this.#grow(Math.ceil(missing / pageBytes))
    return address
  }

  /** The address at which the next `take` begins, for `release`. */
  get end(): number {
    return this.#end
  }

  /** Frees everything that was taken from `end` on. */
  release(end = kernelBytes): void {
    this.#end = end
  }

  #grow(pages: number): void {
    this.#memory.grow(pages)
    this.#bytes = Buffer.from(this.#memory.buffer)
    this.#words = new Uint32Array(this.#memory.buffer)
    this.#kernel.grow(this.#memory)
  }
}

const pageBytes = 65_536
const spareBytes = 64

/**
 * The exports of kernel/crates/wasm/src/parquet.rs. All arguments are addresses in the memory, except `count`,
 * `entries`, `bits`, `width`, `level` and `rows`; `from` and `to` before a `target` are indexes of rows or elements.
 */
export interface PageKernels {
  writeScalarLevels(validity: number, from: number, to: number, levels: number): void
  writeListLevels(
    validity: number,
    offsets: number,
    elementValidity: number,
    from: number,
    to: number,
    levels: number,
    repetitions: number,
  ): number
  countLevel(start: number, end: number, level: number): number
  skipRows(repetitions: number, slot: number, rows: number, end: number): number
  gatherTexts(validity: number, offsets: number, bytes: number, from: number, to: number, target: number): number
  gatherBooleans: Gather
  gather4: Gather
  gather8: Gather
  gather16As4: Gather
  gather16As8: Gather
  gather16AsBytes(validity: number, values: number, from: number, to: number, target: number, width: number): number
  indexTexts(
    texts: number,
    end: number,
    table: number,
    entries: number,
    distinct: number,
    indexes: number,
    dictionary: number,
  ): number
  index4: IndexNumbers
  index8: IndexNumbers
  boundTexts: Bound
  boundBooleans: Bound
  boundInt32: Bound
  boundInt64: Bound
  boundFloat64: Bound
  boundBytes(values: number, end: number, to: number, width: number): void
  packBytes: Pack
  packWords: Pack
  writePlainTexts: Write
  writePlainBooleans: Write
  readonly measurePlainTexts: (texts: number, end: number) => number
}

type Gather = (validity: number, values: number, from: number, to: number, target: number) => number
type IndexNumbers = (
  values: number,
  end: number,
  table: number,
  entries: number,
  indexes: number,
  dictionary: number,
) => number
type Bound = (values: number, end: number, to: number) => void
type Pack = (from: number, count: number, bits: number, to: number) => number
type Write = (values: number, end: number, to: number) => number
