/** What became of the record of an id. */
export const fates = { removed: 0, unchanged: 1, changed: 2, new: 3 } as const

/**
 * The records of both sides by id, in about 120 bytes each: numbered in the order in which their ids come first, those of the
 * old side before the new ones. The last line with an id counts.
 */
export class RecordIndex {
  readonly #numbers = new Map<string, number>()
  /** Two words a record, of the old side. */
  #prints = new Uint32Array(2 * firstRecords)
  /** Lines over all files of the old side. */
  #lines = new Uint32Array(firstRecords)
  #fates = new Uint8Array(firstRecords)
  /** Numbers of lines in the store of the new side; 0 for none. */
  #stored = new Uint32Array(firstRecords)
  #seen = new Uint8Array(firstRecords)
  #oldCount = 0

  /** Adds a line of the old side; true where its id was there already. */
  addOld(id: string, line: number, prints: Uint32Array, at: number): boolean {
    const known = this.#numbers.get(id)
    const number = known ?? this.#add(id)
    this.#oldCount = this.#numbers.size
    this.#prints[2 * number] = prints[at] as number
    this.#prints[2 * number + 1] = prints[at + 1] as number
    this.#lines[number] = line
    return known !== undefined
  }

  /** Adds a line of the new side, behind all of the old one. `store` is called for lines that differ by their print. */
  addNew(id: string, prints: Uint32Array, at: number, store: (isNew: boolean) => number): boolean {
    const known = this.#numbers.get(id)
    const number = known ?? this.#add(id)
    const isRepeated = this.#seen[number] === 1
    this.#seen[number] = 1
    const isNew = number >= this.#oldCount
    const isSame = !isNew && this.#prints[2 * number] === prints[at] && this.#prints[2 * number + 1] === prints[at + 1]
    this.#fates[number] = isNew ? fates.new : isSame ? fates.unchanged : fates.changed
    this.#stored[number] = isSame ? 0 : store(isNew)
    return isRepeated
  }

  fateOf(number: number): number {
    return this.#fates[number] as number
  }

  /** The number of its line in the store of the new side. */
  storedOf(number: number): number {
    return this.#stored[number] as number
  }

  /** The line that counts, of the old side. */
  lineOf(number: number): number {
    return this.#lines[number] as number
  }

  isPrint(number: number, prints: Uint32Array, at: number): boolean {
    return this.#prints[2 * number] === prints[at] && this.#prints[2 * number + 1] === prints[at + 1]
  }

  /** The numbers of records with one of these fates, in their order. */
  listNumbers(...wanted: readonly number[]): Uint32Array {
    const numbers = new Uint32Array(this.count(...wanted))
    let at = 0
    for (let number = 0; number < this.#numbers.size; number++)
      if (wanted.includes(this.#fates[number] as number)) numbers[at++] = number
    return numbers
  }

  count(...wanted: readonly number[]): number {
    let count = 0
    for (let number = 0; number < this.#numbers.size; number++)
      if (wanted.includes(this.#fates[number] as number)) count++
    return count
  }

  #add(id: string): number {
    const number = this.#numbers.size
    this.#numbers.set(id, number)
    if (number === this.#lines.length) this.#grow()
    return number
  }

  #grow(): void {
    this.#prints = growWords(this.#prints)
    this.#lines = growWords(this.#lines)
    this.#stored = growWords(this.#stored)
    this.#fates = growBytes(this.#fates)
    this.#seen = growBytes(this.#seen)
  }
}

const firstRecords = 4096

function growWords(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(words.length * 2)
  grown.set(words)
  return grown
}

function growBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(bytes.length * 2)
  grown.set(bytes)
  return grown
}
