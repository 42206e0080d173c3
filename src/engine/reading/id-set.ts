import { toEntryWords, type IdEntries } from '../../records/id-entries.ts'
import { idHash, idLength, idText } from '../../records/id-layout.ts'

/**
 * An exact set of ids that needs little memory: 22 to 32 bytes for an id of 7 characters and 50 to 60 for one of 36; a
 * `Set` needs 45 and 77. Ids are compared byte by byte. It may hold more than the 2^24 ids of a `Set`.
 */
export class IdSet {
  /** Consecutive entries, each starting with its length. */
  readonly #chunks: Uint32Array[] = []
  #chunkEnd = chunkWords
  /**
   * Hash table with two words per id. The first is the hash, which distinguishes most ids and allows growing the table
   * without reading texts. The second is the position of the entry's first word across all chunks, from 1; 0 for an
   * empty slot. At most four fifths are used.
   */
  #slots = new Uint32Array(2 << firstBits)
  /** The upper bits of a mixed hash select the slot. */
  #shift = 32 - firstBits
  #size = 0
  /** Ids that are too long for chunks. */
  readonly #long = new Set<string>()

  /** Adds ids and returns how many were known. */
  add(entries: IdEntries): number {
    let known = 0
    for (let at = 0; at < entries.length;) {
      const words = toEntryWords(entries[at + idLength] as number)
      if (!this.addEntry(entries, at, words)) known++
      at += words
    }
    return known
  }

  /** Adds the id of the entry at an offset, which has `words` words. Returns false if it was known. */
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

  /** Whether the id of the first entry is in the set. */
  has(entries: IdEntries): boolean {
    const words = toEntryWords(entries[idLength] as number)
    if (words > mostWords) return this.#long.has(toLongText(entries, 0))
    const hash = entries[idHash] as number
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = toSlot(hash, this.#shift); slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] === hash && this.#isAt(slots[slot + 1] as number, entries, 0, words)) return true
    }
    return false
  }

  #addLong(entries: IdEntries, at: number): boolean {
    const known = this.#long.size
    return this.#long.add(toLongText(entries, at)).size > known
  }

  #isAt(position: number, entries: IdEntries, at: number, words: number): boolean {
    const chunk = this.#chunks[Math.floor((position - 1) / chunkWords)] as Uint32Array
    const start = (position - 1) % chunkWords
    for (let word = idLength; word < words; word++) {
      if (chunk[start + word - idLength] !== entries[at + word]) return false
    }
    return true
  }

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

  /** Doubles the table. Hashes keep their order, so both tables are walked sequentially. */
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

function toSlot(hash: number, shift: number): number {
  return (Math.imul(hash, spread) >>> shift) * 2
}

/** 2^32 divided by the golden ratio: spreads differences in any bits to the upper bits. */
const spread = 0x9e3779b1
const firstBits = 10
const chunkWords = 65_536
/** Longer ids would leave much of a chunk unused. */
const mostWords = 2048

function toLongText(entries: IdEntries, at: number): string {
  const text = Buffer.from(entries.buffer, entries.byteOffset + (at + idText) * 4, entries[at + idLength])
  return text.toString('latin1')
}
