/** The keys of lines, in 8 bytes each: it keeps hashes, and says which lines have a key that several records have. */
export class KeyHashes {
  /** Zero for a line without a key, negative for a key that the record has in a line before. */
  #hashes = new Float64Array(1024)
  #count = 0

  /** Takes the keys of the lines of a record. A key that it has twice, such as one code in two fields, is not shared for that. */
  add(keys: readonly (string | null)[]): void {
    const first = this.#count
    for (const key of keys) {
      const own = key === null ? 0 : hash(key)
      this.#push(this.#hasFrom(first, own) ? -own : own)
    }
  }

  /** Tests a line by its number, once all have come. Also true of a few others, if their hash is that of another key. */
  findShared(): (line: number) => boolean {
    const sorted = this.#hashes.slice(0, this.#count).sort()
    const shared = new Set<number>()
    for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) shared.add(sorted[at] as number)
    shared.delete(0)
    return (line) => shared.has(Math.abs(this.#hashes[line] as number))
  }

  #hasFrom(first: number, own: number): boolean {
    for (let at = first; at < this.#count; at++) if (this.#hashes[at] === own) return true
    return false
  }

  #push(own: number): void {
    if (this.#count === this.#hashes.length) {
      const grown = new Float64Array(this.#count * 2)
      grown.set(this.#hashes)
      this.#hashes = grown
    }
    this.#hashes[this.#count++] = own
  }
}

/** 53 bits of two hashes in the manner of FNV-1a. */
function hash(key: string): number {
  let high = 0x811c9dc5
  let low = 0x2f0b4c47
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b)
  }
  return ((high ^ (high >>> 15)) & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 13)) >>> 0)
}
