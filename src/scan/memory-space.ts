const pageBytes = 65_536
/** What may be read behind the end of any region: text is read in steps of 16 bytes. */
const spareBytes = 64

export interface MemoryRange {
  readonly address: number
  readonly bytes: number
}

/** A memory of WebAssembly that grows, handed out in ranges. The first page stays the module's own. */
export class MemorySpace {
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

  /** Room for so many bytes, which are a multiple of 64. */
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
