/**
 * A set of ids in little memory: 24 to 32 bytes each where a `Set` of strings takes 75. It is exact: ids are compared
 * character by character.
 */
export class IdSet {
  /** Entries of whole words one behind the other: the hash, the length, then the UTF-16 code units, two a word. */
  readonly #chunks: Uint32Array[] = []
  #chunkEnd = chunkWords
  /** By hash: the number of the entry's first word, counted over all chunks from 1 on, or 0. Twice as many as ids at least. */
  #slots = new Uint32Array(1024)
  #size = 0
  /** Ids that fit in no chunk. */
  readonly #long = new Set<string>()

  /** False where the id is there already. */
  add(id: string): boolean {
    if (id.length > mostUnits) {
      const known = this.#long.size
      return this.#long.add(id).size > known
    }
    const hash = hashOf(id)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#isAt(this.#slots[slot] as number, id, hash)) return false
    this.#slots[slot] = this.#append(id, hash)
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  #isAt(entry: number, id: string, hash: number): boolean {
    const { chunk, at } = this.#find(entry)
    if (chunk[at] !== hash || chunk[at + 1] !== id.length) return false
    for (let unit = 0; unit < id.length; unit += 2) if (chunk[at + 2 + unit / 2] !== pairAt(id, unit)) return false
    return true
  }

  #append(id: string, hash: number): number {
    const words = 2 + Math.ceil(id.length / 2)
    if (this.#chunkEnd + words > chunkWords) {
      this.#chunks.push(new Uint32Array(chunkWords))
      this.#chunkEnd = 0
    }
    const chunk = this.#chunks.at(-1) as Uint32Array
    const at = this.#chunkEnd
    chunk[at] = hash
    chunk[at + 1] = id.length
    for (let unit = 0; unit < id.length; unit += 2) chunk[at + 2 + unit / 2] = pairAt(id, unit)
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

/** FNV-1a over code units, with its bits mixed once more. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let unit = 0; unit < id.length; unit++) hash = Math.imul(hash ^ id.charCodeAt(unit), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Two code units as a word; 0 stands for one behind the end. */
function pairAt(id: string, unit: number): number {
  const second = unit + 1 < id.length ? id.charCodeAt(unit + 1) : 0
  return ((second << 16) | id.charCodeAt(unit)) >>> 0
}

/** 256 KiB. */
const chunkWords = 65_536
const mostUnits = 4096
