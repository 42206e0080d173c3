/** Finds keys that come more than once, in 8 bytes for each that comes: it keeps hashes. */
export class RepeatedKeys {
  #hashes = new Float64Array(1024)
  #count = 0

  add(key: string): void {
    if (this.#count === this.#hashes.length) {
      const grown = new Float64Array(this.#count * 2)
      grown.set(this.#hashes)
      this.#hashes = grown
    }
    this.#hashes[this.#count++] = hash(key)
  }

  /** Tests whether a key came more than once. Also true of a few others, if their hash is that of another key. */
  find(): (key: string) => boolean {
    const sorted = this.#hashes.subarray(0, this.#count).sort()
    const repeated = new Set<number>()
    for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) repeated.add(sorted[at] as number)
    return (key) => repeated.has(hash(key))
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
