import { createHash } from 'node:crypto'

/**
 * Maps keys to numbers in little memory: 16 bytes a slot, at most half of them taken, whatever the length of the keys.
 * Keys are distinguished by 64 bits of their SHA-256: among a million, the chance that two collide is 1 in 37 million.
 */
export class KeyIndex {
  #hashes = new Uint32Array(2 * 1024)
  /** The number plus one; 0 marks a free slot. */
  #numbers = new Float64Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: string): number | null {
    const number = this.#numbers[this.#find(...toHash(key))] as number
    return number === 0 ? null : number - 1
  }

  has(key: string): boolean {
    return this.get(key) !== null
  }

  /** Expects a whole number that is not negative. */
  set(key: string, number: number): void {
    const [high, low] = toHash(key)
    this.#put(high, low, number + 1)
    if (this.#size * 2 > this.#numbers.length) this.#grow()
  }

  #put(high: number, low: number, number: number): void {
    const slot = this.#find(high, low)
    if (this.#numbers[slot] === 0) this.#size++
    this.#hashes[2 * slot] = high
    this.#hashes[2 * slot + 1] = low
    this.#numbers[slot] = number
  }

  /** The slot of a key, or the free slot for it. */
  #find(high: number, low: number): number {
    const mask = this.#numbers.length - 1
    let slot = low & mask
    while (this.#numbers[slot] !== 0 && (this.#hashes[2 * slot] !== high || this.#hashes[2 * slot + 1] !== low))
      slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers]
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#numbers = new Float64Array(numbers.length * 2)
    this.#size = 0
    for (const [slot, number] of numbers.entries())
      if (number !== 0) this.#put(hashes[2 * slot] as number, hashes[2 * slot + 1] as number, number)
  }
}

function toHash(key: string): readonly [high: number, low: number] {
  const digest = createHash('sha256').update(key).digest()
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}
