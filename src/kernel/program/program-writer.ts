/** An offset in a program that is not in memory yet. */
export type ProgramOffset = number & { readonly programOffset: unique symbol }

/** A program to be loaded at any address. Plain data: it can be sent to a worker. */
export interface ProgramImage {
  readonly words: Uint32Array
  /** Numbers of the words that hold an offset and become an address. */
  readonly links: Uint32Array
}

export class ProgramWriter {
  #words = new Uint32Array(4096)
  #end = 0
  readonly #links: number[] = []

  /** Gives room of this size, zeroed, at a multiple of 16. */
  allocate(bytes: number): ProgramOffset {
    const base = this.#end
    this.#end += Math.ceil(bytes / 16) * 16
    if (this.#end > this.#words.byteLength) {
      const grown = new Uint32Array(this.#end / 2)
      grown.set(this.#words)
      this.#words = grown
    }
    return base as ProgramOffset
  }

  setWord(base: ProgramOffset, offset: number, value: number): void {
    this.#words[(base + offset) >>> 2] = value
  }

  setBytes(base: ProgramOffset, bytes: Uint8Array): void {
    new Uint8Array(this.#words.buffer).set(bytes, base)
  }

  link(base: ProgramOffset, offset: number, to: ProgramOffset): void {
    const at = (base + offset) >>> 2
    this.#words[at] = to
    this.#links.push(at)
  }

  finish(): ProgramImage {
    return { words: this.#words.slice(0, this.#end / 4), links: Uint32Array.from(this.#links) }
  }
}
