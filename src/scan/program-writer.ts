import type { ScanMemory } from './scan-memory.ts'

/** A place in a program that is not in memory yet. */
export type Place = number & { readonly place: unique symbol }

/** Writes words and addresses of what is written itself; `load` puts it all where it stays. */
export class ProgramWriter {
  #words = new Uint32Array(4096)
  #end = 0
  readonly #links: { readonly at: number; readonly to: Place }[] = []

  /** Room for so many bytes, zeroed, at a multiple of 16. */
  allocate(bytes: number): Place {
    const place = this.#end
    this.#end += Math.ceil(bytes / 16) * 16
    if (this.#end > this.#words.byteLength) {
      const grown = new Uint32Array(this.#end / 2)
      grown.set(this.#words)
      this.#words = grown
    }
    return place as Place
  }

  setWord(place: Place, offset: number, value: number): void {
    this.#words[(place + offset) >> 2] = value
  }

  setBytes(place: Place, bytes: Uint8Array): void {
    new Uint8Array(this.#words.buffer).set(bytes, place)
  }

  /** Makes the word the address of another place. */
  link(place: Place, offset: number, to: Place): void {
    this.#links.push({ at: (place + offset) >> 2, to })
  }

  /** Copies the program into the region `program`; gives the address of a place. */
  load(memory: ScanMemory): (place: Place) => number {
    const base = memory.reserve('program', this.#end)
    for (const { at, to } of this.#links) this.#words[at] = base + to
    memory.words.set(this.#words.subarray(0, this.#end / 4), base / 4)
    return (place) => base + place
  }
}
