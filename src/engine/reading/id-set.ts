import { toEntryWords, type IdEntries } from '../../records/id-entries.ts'
import { idHash, idLength, idText } from '../../records/id-layout.ts'

/**
 * A set of ids in little memory: an id of 7 characters takes 22 to 32 bytes, one of 36 takes 50 to 60, where a `Set` takes
 * 45 and 77. It is exact: ids are compared byte by byte. It may have more ids than the 2^24 of a `Set`.
 */
export class IdSet {
  /** Entries one behind the other, from their lengths on. */
  readonly #chunks: Uint32Array[] = []
  #chunkEnd = chunkWords
  /**
   * By hash, two words an id: its hash, so that another id is told apart and the table grows without a look at the texts; and
   * the number of its first word, counted over all chunks from 1 on, or 0. At most four fifths are taken.
   */
  #slots = new Uint32Array(2 << firstBits)
  /** The upper bits of a mixed hash choose the slot. */
  #shift = 32 - firstBits
  #size = 0
  /** Long ids. */
  readonly #long = new Set<string>()

  /** Adds ids and returns the number of those that were there already. */
  add(entries: IdEntries): number {
    let known = 0
    for (let at = 0; at < entries.length;) {
      const words = toEntryWords(entries[at + idLength] as number)
      if (!this.addEntry(entries, at, words)) known++
      at += words
    }
    return known
  }

  /** Adds the id of the entry at a position, which has a number of words; false where it was there already. */
  addEntry(entries: IdEntries, at: number, words: number): boolean {
    if (words > mostWords) return this.#addLong(entries, at)
    const hash = entries[at + idHash] as number
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = toSlot(hash, this.#shift)
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] === hash && this.#isAt(slots[slot + 1] as number, entries, at, words)) return false
    }
    slots[slot] = hash
    slots[slot + 1] = this.#append(entries, at, words)
    this.#size += 1
    if (this.#size * 5 > slots.length * 2) this.#grow()
    return true
  }

  #addLong(entries: IdEntries, at: number): boolean {
    const known = this.#long.size
    const text = Buffer.from(entries.buffer, entries.byteOffset + (at + idText) * 4, entries[at + idLength])
    return this.#long.add(text.toString('latin1')).size > known
  }

  /** True if the id of an entry is the one at a position. */
  #isAt(position: number, entries: IdEntries, at: number, words: number): boolean {
    const chunk = this.#chunks[Math.floor((position - 1) / chunkWords)] as Uint32Array
    const start = (position - 1) % chunkWords
    for (let word = idLength; word < words; word++) {
      if (chunk[start + word - idLength] !== entries[at + word]) return false
    }
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
    for (let word = idLength; word < words; word++) chunk[start + word - idLength] = entries[at + word] as number
    this.#chunkEnd += words - idLength
    return (this.#chunks.length - 1) * chunkWords + start + 1
  }

  /** Doubles the table. The order of the hashes stays, so both tables are passed from end to end. */
  #grow(): void {
    const old = this.#slots
    const slots = new Uint32Array(old.length * 2)
    const mask = slots.length - 1
    this.#shift -= 1
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue
      let slot = toSlot(old[from] as number, this.#shift)
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
      slots[slot] = old[from] as number
      slots[slot + 1] = old[from + 1] as number
    }
    this.#slots = slots
  }
}

/** The word where the search for a hash begins. */
function toSlot(hash: number, shift: number): number {
  return (Math.imul(hash, spread) >>> shift) * 2
}

/** 2^32 over the golden ratio: hashes that differ in any bits get upper bits of their own. */
const spread = 0x9e3779b1
/** 1,024 slots. */
const firstBits = 10
/** 256 KiB. */
const chunkWords = 65_536
/** Longer ids would not fill chunks well. */
const mostWords = 2048
