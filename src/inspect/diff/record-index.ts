export const fates = { removed: 0, unchanged: 1, changed: 2, new: 3 } as const

/**
 * Indexes the records of both sides by id, in about 120 bytes each. They are numbered by first occurrence, the old side
 * first. If an id is repeated, its last line counts.
 */
export class RecordIndex {
  readonly #numbers = new Map<string, number>()
  /** Two words per record of the old side. */
  #prints = new Uint32Array(2 * firstRecords)
  /** Line numbers across all files of the old side. */
  #lines = new Uint32Array(firstRecords)
  #fates = new Uint8Array(firstRecords)
  /** Line numbers in the store of the new side; 0 for none. */
  #stored = new Uint32Array(firstRecords)
  #seen = new Uint8Array(firstRecords)
  #oldCount = 0

  /** Adds a line of the old side. Returns whether its id is a repeat. */
  addOld(id: string, line: number, prints: Uint32Array, at: number): boolean {
    const known = this.#numbers.get(id)
    const number = known ?? this.#add(id)
    this.#oldCount = this.#numbers.size
    this.#prints[2 * number] = prints[at] as number
    this.#prints[2 * number + 1] = prints[at + 1] as number
    this.#lines[number] = line
    return known !== undefined
  }

  /**
   * Adds a line of the new side, after all of the old one. Calls `store` if the print differs. Returns whether the id
   * is a repeat.
   */
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

  storedOf(number: number): number {
    return this.#stored[number] as number
  }

  lineOf(number: number): number {
    return this.#lines[number] as number
  }

  isPrint(number: number, prints: Uint32Array, at: number): boolean {
    return this.#prints[2 * number] === prints[at] && this.#prints[2 * number + 1] === prints[at + 1]
  }

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
