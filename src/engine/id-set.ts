/**
 * A set of ids in little memory: an id of 7 characters takes 24 to 32 bytes, one of 36 takes 52 to 60, where a `Set` takes
 * 45 and 77. It is exact: ids are compared character by character. It may have more ids than the 2^24 of a `Set`.
 */
export class IdSet {
  /** Entries of whole words one behind the other: the hash, the length and width, then the code units. */
  readonly #chunks: Uint32Array[] = []
  #chunkEnd = chunkWords
  /** By hash: the number of the entry's first word, counted over all chunks from 1 on, or 0. Twice as many as ids at least. */
  #slots = new Uint32Array(1024)
  #size = 0
  /** That of the id which is looked for. */
  readonly #entry = new Uint32Array(2 + mostUnits / 2)
  /** Ids that fit in no chunk. */
  readonly #long = new Set<string>()

  /** False where the id is there already. */
  add(id: string): boolean {
    if (id.length > mostUnits) {
      const known = this.#long.size
      return this.#long.add(id).size > known
    }
    const words = writeEntry(this.#entry, id)
    const mask = this.#slots.length - 1
    let slot = (this.#entry[0] as number) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#isAt(this.#slots[slot] as number, words)) return false
    }
    this.#slots[slot] = this.#append(words)
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  #isAt(entry: number, words: number): boolean {
    const { chunk, at } = this.#find(entry)
    for (let word = 0; word < words; word++) if (chunk[at + word] !== this.#entry[word]) return false
    return true
  }

  #append(words: number): number {
    if (this.#chunkEnd + words > chunkWords) {
      this.#chunks.push(new Uint32Array(chunkWords))
      this.#chunkEnd = 0
    }
    const at = this.#chunkEnd
    const chunk = this.#chunks.at(-1) as Uint32Array
    for (let word = 0; word < words; word++) chunk[at + word] = this.#entry[word] as number
    this.#chunkEnd += words
    return (this.#chunks.length - 1) * chunkWords + at + 1
  }

  #find(entry: number): { readonly chunk: Uint32Array; readonly at: number } {
    const word = entry - 1
    return { chunk: this.#chunks[Math.floor(word / chunkWords)] as Uint32Array, at: word % chunkWords }
  }

  #grow(): void {
    const entries = this.#slots
    this.#slots = new Uint32Array(entries.length * 2)
    const mask = this.#slots.length - 1
    for (const entry of entries) {
      if (entry === 0) continue
      const { chunk, at } = this.#find(entry)
      let slot = (chunk[at] as number) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = entry
    }
  }
}

/** Gives how many words it takes. The code units stand in bytes where all fit, else in halves of words. */
function writeEntry(entry: Uint32Array, id: string): number {
  let hash = 0x811c9dc5
  let isWide = false
  for (let unit = 0; unit < id.length; unit++) {
    const code = id.charCodeAt(unit)
    // FNV-1a.
    hash = Math.imul(hash ^ code, 0x01000193)
    if (code > 0xff) isWide = true
  }
  entry[0] = hash ^ (hash >>> 15)
  entry[1] = id.length * 2 + Number(isWide)
  let words = 2
  for (let unit = 0; unit < id.length; words++) {
    let word = 0
    for (let bits = 0; bits < 32 && unit < id.length; bits += isWide ? 16 : 8) word |= id.charCodeAt(unit++) << bits
    entry[words] = word
  }
  return words
}

/** 256 KiB. */
const chunkWords = 65_536
const mostUnits = 4096
