import type { FileStorage } from '../../storage/file-storage.ts'

/*
 * A file of words by key: extents, each with words of one key, then the index of the extents, two words each (key and length
 * in words), then the number of words of the index. Words have 32 bits, the lowest byte first. Extents are written some at a
 * time, by ascending keys, so that those of neighbouring keys are adjacent.
 */

/** Takes words by key, and writes the bytes of the file in pieces. The same calls give the same bytes. */
export class ExtentWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  readonly #held = new Map<number, WordBuffer>()
  readonly #index: number[] = []
  #heldWords = 0

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  /** The buffer of a key, to which words are added until the next `flushIfFull`. */
  at(key: number): WordBuffer {
    const held = this.#held.get(key)
    if (held !== undefined) return held
    const opened = new WordBuffer((words) => (this.#heldWords += words))
    this.#held.set(key, opened)
    return opened
  }

  async flushIfFull(): Promise<void> {
    if (this.#heldWords >= mostHeldWords) await this.#flush()
  }

  async finish(): Promise<void> {
    await this.#flush()
    await this.#write(toBytes(Uint32Array.from([...this.#index, this.#index.length])))
  }

  /** Drops the buffers: those that were once large would add up. */
  async #flush(): Promise<void> {
    const joined = new Uint32Array(this.#heldWords)
    let end = 0
    for (const key of [...this.#held.keys()].toSorted((a, b) => a - b)) {
      const words = this.#held.get(key)?.words ?? noWords
      this.#index.push(key, words.length)
      joined.set(words, end)
      end += words.length
    }
    this.#held.clear()
    this.#heldWords = 0
    if (end > 0) await this.#write(toBytes(joined))
  }
}

const mostHeldWords = 4 * 1024 * 1024
const noWords = new Uint32Array(0)

export class WordBuffer {
  readonly #onGrowth: (words: number) => void
  #words = noWords
  #end = 0

  constructor(onGrowth: (words: number) => void) {
    this.#onGrowth = onGrowth
  }

  push(word: number): void {
    this.#makeRoom(1)
    this.#words[this.#end++] = word
  }

  pushAll(words: Uint32Array): void {
    this.#makeRoom(words.length)
    this.#words.set(words, this.#end)
    this.#end += words.length
  }

  get words(): Uint32Array {
    return this.#words.subarray(0, this.#end)
  }

  #makeRoom(words: number): void {
    this.#onGrowth(words)
    if (this.#end + words <= this.#words.length) return
    const grown = new Uint32Array(Math.max(64, 2 * (this.#end + words)))
    grown.set(this.#words.subarray(0, this.#end))
    this.#words = grown
  }
}

export interface KeyRange {
  readonly from: number
  readonly until: number
}

/** Adjacent extents, which are read at once; positions in words. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

type RangeStorage = Pick<FileStorage, 'readRange'>

/** Reads the extents of a file by key. The index takes 12 bytes an extent. */
export class ExtentReader {
  readonly #path: string
  readonly #storage: RangeStorage
  readonly #keys: Uint32Array
  /** Positions of the extents in words, and the end of the last one. */
  readonly #starts: Float64Array
  /** Numbers of the extents that begin a flush, and the number of all extents. */
  readonly #flushes: readonly number[]

  private constructor(path: string, storage: RangeStorage, index: Uint32Array) {
    this.#path = path
    this.#storage = storage
    const extents = index.length / 2
    this.#keys = new Uint32Array(extents)
    this.#starts = new Float64Array(extents + 1)
    const flushes: number[] = []
    for (let at = 0; at < extents; at++) {
      const key = index[2 * at] as number
      if (at === 0 || key <= (this.#keys[at - 1] as number)) flushes.push(at)
      this.#keys[at] = key
      this.#starts[at + 1] = (this.#starts[at] as number) + (index[2 * at + 1] as number)
    }
    this.#flushes = [...flushes, extents]
  }

  static async open(path: string, bytes: number, storage: RangeStorage): Promise<ExtentReader> {
    const tailStart = Math.max(0, bytes - tailBytes)
    const tail = toWords(await storage.readRange(path, tailStart, bytes))
    const length = tail.at(-1) ?? 0
    const indexStart = bytes - 4 * (length + 1)
    if (indexStart >= tailStart) return new ExtentReader(path, storage, tail.subarray(tail.length - 1 - length, -1))
    return new ExtentReader(path, storage, toWords(await storage.readRange(path, indexStart, bytes - 4)))
  }

  addLengths(lengths: Float64Array): void {
    for (const [at, key] of this.#keys.entries())
      lengths[key] = (lengths[key] as number) + (this.#starts[at + 1] as number) - (this.#starts[at] as number)
  }

  /** Stretches with the words of some keys: one for each flush, in order. */
  listStretches({ from, until }: KeyRange): Stretch[] {
    return this.#flushes.slice(0, -1).flatMap((first, flush) => {
      const end = this.#flushes[flush + 1] as number
      const [one, other] = [this.#findKey(from, first, end), this.#findKey(until, first, end)]
      return one === other ? [] : [{ start: this.#starts[one] as number, end: this.#starts[other] as number }]
    })
  }

  /** The words of a stretch by ascending keys; those of one key are in the order in which they were added. */
  async read({ start, end }: Stretch): Promise<Uint32Array> {
    return toWords(await this.#storage.readRange(this.#path, 4 * start, 4 * end))
  }

  #findKey(key: number, first: number, end: number): number {
    let [low, high] = [first, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] as number) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Holds the index of most files, so that they are opened with one read. */
const tailBytes = 65_536

function toWords(bytes: Uint8Array): Uint32Array {
  const copy = new Uint8Array(bytes)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}
