import type { FileStorage } from '../../publish/file-storage.ts'

/*
 * A file of words by key: extents, each with words of one key, then the index of the extents, three words each (key, position
 * and length in words), then the number of words of the index. Words have 32 bits, the lowest byte first.
 */

/** Takes words by key, and gives the bytes of the file piece by piece. The same calls give the same bytes. */
export class ExtentWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  readonly #held = new Map<number, WordBuffer>()
  readonly #index: number[] = []
  #heldWords = 0
  #position = 0

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  /** Opens the buffer of a key, to which words are added until the next `flushIfFull`. */
  at(key: number): WordBuffer {
    const held = this.#held.get(key) ?? new WordBuffer((words) => (this.#heldWords += words))
    this.#held.set(key, held)
    return held
  }

  async flushIfFull(): Promise<void> {
    if (this.#heldWords >= mostHeldWords) await this.#flush()
  }

  /** Writes what is left, and the index. */
  async finish(): Promise<void> {
    await this.#flush()
    await this.#write(toBytes(Uint32Array.from([...this.#index, this.#index.length])))
  }

  async #flush(): Promise<void> {
    for (const key of [...this.#held.keys()].toSorted((a, b) => a - b)) {
      const words = this.#held.get(key)?.take() ?? noWords
      if (words.length === 0) continue
      this.#index.push(key, this.#position, words.length)
      this.#position += words.length
      await this.#write(toBytes(words))
    }
    this.#heldWords = 0
  }
}

/** 16 MiB. */
const mostHeldWords = 4 * 1024 * 1024
const noWords = new Uint32Array(0)

/** Words of one key until they are written. */
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

  take(): Uint32Array {
    const words = this.#words.slice(0, this.#end)
    this.#end = 0
    return words
  }

  #makeRoom(words: number): void {
    this.#onGrowth(words)
    if (this.#end + words <= this.#words.length) return
    const grown = new Uint32Array(Math.max(256, 2 * (this.#end + words)))
    grown.set(this.#words.subarray(0, this.#end))
    this.#words = grown
  }
}

/** The extents of a file, to be read by key. */
export class ExtentReader {
  readonly #path: string
  readonly #storage: Pick<FileStorage, 'readRange'>
  readonly #extents: ReadonlyMap<number, readonly Extent[]>

  private constructor(path: string, storage: Pick<FileStorage, 'readRange'>, index: Uint32Array) {
    this.#path = path
    this.#storage = storage
    this.#extents = toExtents(index)
  }

  /** Reads the index of a file of this many bytes. */
  static async open(path: string, bytes: number, storage: Pick<FileStorage, 'readRange'>): Promise<ExtentReader> {
    const [length = 0] = toWords(await storage.readRange(path, bytes - 4, bytes))
    const start = bytes - 4 - 4 * length
    const index = length === 0 ? noWords : toWords(await storage.readRange(path, start, bytes - 4))
    return new ExtentReader(path, storage, index)
  }

  /** The words of a key, an extent at a time, in the order in which they were added. */
  async *read(key: number): AsyncGenerator<Uint32Array> {
    for (const { position, length } of this.#extents.get(key) ?? [])
      yield toWords(await this.#storage.readRange(this.#path, 4 * position, 4 * (position + length)))
  }
}

interface Extent {
  readonly position: number
  readonly length: number
}

/** By key, in the order of the file. */
function toExtents(index: Uint32Array): Map<number, Extent[]> {
  const extents = new Map<number, Extent[]>()
  for (let at = 0; at < index.length; at += 3) {
    const [key = 0, position = 0, length = 0] = index.subarray(at, at + 3)
    const ofKey = extents.get(key) ?? []
    ofKey.push({ position, length })
    extents.set(key, ofKey)
  }
  return extents
}

/** A copy: bytes may begin anywhere. */
function toWords(bytes: Uint8Array): Uint32Array {
  const copy = new Uint8Array(bytes)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}
