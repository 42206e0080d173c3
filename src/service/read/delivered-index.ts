/**
 * The delivered records by index and id, to recognize them when a request is repeated. Takes 16 bytes a record. Ids are
 * kept as hashes of 53 bits: with a million ids, one lookup in ten thousand million takes a new id for a known one.
 */
export class DeliveredIndex {
  readonly #indexes = new GrowingNumbers()
  readonly #ids = new GrowingNumbers()
  /** Created at the first lookup; a stream without a fault needs none. */
  #byIndex: Map<number, number> | null = null
  #byId: Set<number> | null = null

  get count(): number {
    return this.#ids.length
  }

  add(index: number | null, id: string | null): void {
    const hash = id === null ? noId : hashId(id)
    this.#indexes.push(index ?? noIndex)
    this.#ids.push(hash)
    if (index !== null) this.#byIndex?.set(index, hash)
    if (id !== null) this.#byId?.add(hash)
  }

  compare(index: number, id: string | null): 'new' | 'same' | 'other' {
    this.#byIndex ??= new Map(this.#pairs())
    const delivered = this.#byIndex.get(index)
    if (delivered === undefined) return 'new'
    return delivered === (id === null ? noId : hashId(id)) ? 'same' : 'other'
  }

  hasIndex(index: number): boolean {
    return this.compare(index, null) !== 'new'
  }

  hasId(id: string): boolean {
    this.#byId ??= new Set(this.#ids.values())
    return this.#byId.has(hashId(id))
  }

  *#pairs(): Generator<[number, number]> {
    const ids = this.#ids.values()
    for (const index of this.#indexes.values()) {
      const id = ids.next().value ?? noId
      if (index !== noIndex) yield [index, id]
    }
  }
}

const noIndex = -1
const noId = -1

class GrowingNumbers {
  length = 0
  #numbers = new Float64Array(1024)

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  values(): IterableIterator<number> {
    return this.#numbers.subarray(0, this.length).values()
  }
}

/** 53 bits, mixed from two multiplications a character (the public-domain "cyrb53"). */
function hashId(id: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}
