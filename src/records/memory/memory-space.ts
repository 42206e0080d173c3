import { CatalogueError } from '../../errors.ts'
import { type Kernel, kernelBytes, type KernelFunctions, loadKernel, stackBytes } from './load-kernel.ts'

export interface MemoryRange {
  readonly address: number
  readonly bytes: number
}

/**
 * Makes a memory that threads share: each opens a `MemorySpace` over it. Its ranges begin at `from`, a multiple of 64.
 */
export function createSharedMemory(from = kernelBytes): WebAssembly.SharedMemory {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: mostPages, shared: true })
  new Uint32Array(memory.buffer)[endWord] = from / unitBytes
  return memory
}

/**
 * One thread's view of a shared memory, which it hands out in ranges and grows. The first page is the kernel's own, but
 * for its last word: the end of all ranges that any thread has handed out.
 */
export class MemorySpace {
  readonly memory: WebAssembly.SharedMemory
  /** Released ranges, by address. No two touch. */
  #holes: MemoryRange[] = []
  /** Every buffer that the memory had: each time it grows it gets another one over the same bytes. */
  readonly #buffers = new WeakSet<ArrayBufferLike>()
  #bytes: Buffer<SharedArrayBuffer>
  #words: Uint32Array<SharedArrayBuffer>
  #kernel: Kernel | undefined

  constructor(memory = createSharedMemory()) {
    this.memory = memory
    this.#bytes = Buffer.from(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
    this.#buffers.add(memory.buffer)
  }

  /** The functions of this thread's kernel; addresses and lengths are in bytes of the memory. */
  get kernel(): KernelFunctions {
    if (this.#kernel === undefined) {
      const { address, bytes } = this.take(stackBytes)
      this.#kernel = loadKernel(this.memory, address + bytes)
    }
    return this.#kernel.functions
  }

  /** The whole memory; a view is valid until the next `take`. */
  get bytes(): Buffer<SharedArrayBuffer> {
    return this.#bytes
  }

  /** The little-endian word at an address, a multiple of 4. Unsigned, as addresses reach 4 GiB. */
  word(address: number): number {
    return this.#words[address >>> 2] as number
  }

  setWord(address: number, value: number): void {
    this.#words[address >>> 2] = value
  }

  /** Decodes text. Only the latest releases of Node take positions of more than 2 GiB in their own functions. */
  text(address: number, bytes: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const end = address + bytes
    if (end <= mostPosition) return this.#bytes.toString(encoding, address, end)
    return this.#bytes.subarray(address, end).toString(encoding)
  }

  /** The words from `start` to before `end`, which are addresses; valid until the next `take`. */
  wordsIn(start: number, end: number): Uint32Array<SharedArrayBuffer> {
    return this.#words.subarray(start >>> 2, end / wordBytes)
  }

  /** Gives room for this many bytes, at a multiple of 64. Throws OutOfMemory. */
  take(bytes: number): MemoryRange {
    const room = Math.ceil(bytes / unitBytes) * unitBytes
    const hole = this.#holes.find((each) => each.bytes >= room)
    if (hole === undefined) return { address: this.#takeEnd(room), bytes: room }
    const rest = { address: hole.address + room, bytes: hole.bytes - room }
    this.#holes = this.#holes.flatMap((each) => (each !== hole ? [each] : rest.bytes > 0 ? [rest] : []))
    this.cover({ address: hole.address, bytes: room })
    return { address: hole.address, bytes: room }
  }

  /** Takes back a range that any thread has taken; this thread hands it out again. */
  release({ address, bytes }: MemoryRange): void {
    const before = this.#holes.find((hole) => hole.address + hole.bytes === address)
    const behind = this.#holes.find((hole) => hole.address === address + bytes)
    const start = before?.address ?? address
    const end = behind === undefined ? address + bytes : behind.address + behind.bytes
    const others = this.#holes.filter((hole) => hole !== before && hole !== behind)
    this.#holes = [...others, { address: start, bytes: end - start }].toSorted((a, b) => a.address - b.address)
  }

  /**
   * Has this thread and its kernel see a range that another thread may have grown the memory for, with the spare bytes
   * after it. `take` and `view` do.
   */
  cover({ address, bytes }: MemoryRange): void {
    if (address + bytes + spareBytes > this.#bytes.length) this.#refresh()
  }

  view(range: MemoryRange): Buffer<SharedArrayBuffer> {
    this.cover(range)
    return this.#bytes.subarray(range.address, range.address + range.bytes)
  }

  /** The address of a view; null if it is in another memory. */
  find(view: Uint8Array): MemoryRange | null {
    return this.#buffers.has(view.buffer) ? { address: view.byteOffset, bytes: view.length } : null
  }

  #takeEnd(bytes: number): number {
    const address = Atomics.add(this.#words, endWord, bytes / unitBytes) * unitBytes
    const end = address + bytes + spareBytes
    if (end > mostPages * pageBytes)
      throw new OutOfMemory(`memory: expected room for ${bytes} bytes, got none below 4 GiB`)
    if (end > this.#bytes.length) this.#refresh()
    if (end > this.#bytes.length) {
      this.memory.grow(Math.ceil((end - this.#bytes.length) / pageBytes))
      this.#refresh()
    }
    return address
  }

  /** Called only here: the kernel never grows its memory, and asking for its buffer is slow. */
  #refresh(): void {
    const { buffer } = this.memory
    this.#bytes = Buffer.from(buffer)
    this.#words = new Uint32Array(buffer)
    this.#buffers.add(buffer)
    this.#kernel?.grow(this.memory)
  }
}

/** Thrown if more memory is needed than is allowed. Blocks are small, and few at a time, so only a huge record can be the cause. */
export class OutOfMemory extends CatalogueError {
  constructor(what: string) {
    super('SOURCE_FAILED', what, {
      title: 'A record is too large for memory',
      fix: 'Lower `source.maxLineBytes`, so that the record is rejected, or ask for fewer tables and columns.',
    })
  }
}

const pageBytes = 65_536
const unitBytes = 64
const wordBytes = 4
/** Of any release of Node. */
const mostPosition = 2 ** 31 - 1
/** 4 GiB. */
export const mostPages = 65_536
/**
 * Bytes after the end of any range: text is read in steps of 16 bytes, and comparing addresses reads one row's width
 * after the last row.
 */
const spareBytes = pageBytes
const endWord = pageBytes / wordBytes - 1
