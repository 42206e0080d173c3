import { toEntryWords, type IdEntries } from '../../records/id-entries.ts'
import { idHash, idLength, idText } from '../../records/id-layout.ts'

/**
 * A set of ids in little memory: an id of 7 characters takes 24 to 32 bytes, one of 36 takes 52 to 60, where a `Set` takes
 * 45 and 77. It is exact: ids are compared byte by byte. It may have more ids than the 2^24 of a `Set`.
 */
export class IdSet {
  /** Entries one behind the other, without their lines. */
  readonly #chunks: Uint32Array[] = []
  #chunkEnd = chunkWords
  /** By hash: the number of the first word of an id, counted over all chunks from 1 on, or 0. Twice as many as ids at least. */
  #slots = new Uint32Array(1024)
  #size = 0
  /** Long ids. */
  readonly #long = new Set<string>()

  /** Adds ids and returns the number of those that were there already. */
  add(entries: IdEntries): number {
    let known = 0
    for (let at = 0; at < entries.length;) {
      const words = toEntryWords(entries[at + idLength] as number)
      if (!this.#addEntry(entries, at, words)) known++
      at += words
    }
    return known
  }

  #addEntry(entries: IdEntries, at: number, words: number): boolean {
    if (words > mostWords) return this.#addLong(entries, at)
    const mask = this.#slots.length - 1
    let slot = (entries[at + idHash] as number) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#isAt(this.#slots[slot] as number, entries, at, words)) return false
    }
    this.#slots[slot] = this.#append(entries, at, words)
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  #addLong(entries: IdEntries, at: number): boolean {
    const known = this.#long.size
    const text = Buffer.from(entries.buffer, entries.byteOffset + (at + idText) * 4, entries[at + idLength])
    return this.#long.add(text.toString('latin1')).size > known
  }

  /** True if the id of an entry is the one at a position. */
  #isAt(position: number, entries: IdEntries, at: number, words: number): boolean {
    const { chunk, start } = this.#find(position)
    for (let word = idHash; word < words; word++) if (chunk[start + word - idHash] !== entries[at + word]) return false
    return true
  }

  /** Returns the position. */
  #append(entries: IdEntries, at: number, words: number): number {
    if (this.#chunkEnd + words > chunkWords) {
      this.#chunks.push(new Uint32Array(chunkWords))
      this.#chunkEnd = 0
    }
    const start = this.#chunkEnd
    const chunk = this.#chunks.at(-1) as Uint32Array
    for (let word = idHash; word < words; word++) chunk[start + word - idHash] = entries[at + word] as number
    this.#chunkEnd += words - idHash
    return (this.#chunks.length - 1) * chunkWords + start + 1
  }

  #find(position: number): { readonly chunk: Uint32Array; readonly start: number } {
    const word = position - 1
    return { chunk: this.#chunks[Math.floor(word / chunkWords)] as Uint32Array, start: word % chunkWords }
  }

  #grow(): void {
    const positions = this.#slots
    this.#slots = new Uint32Array(positions.length * 2)
    const mask = this.#slots.length - 1
    for (const position of positions) {
      if (position === 0) continue
      const { chunk, start } = this.#find(position)
      let slot = (chunk[start] as number) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = position
    }
  }
}

/** 256 KiB. */
const chunkWords = 65_536
/** Longer ids would not fill chunks well. */
const mostWords = 2048
