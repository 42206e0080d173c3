import { hashBasis, hashFold, hashPrime, idHash, idLength, idLine, idText } from './id-layout.ts'

/** Consecutive entries of ids, in order: see id-layout.ts. Plain data. */
export type IdEntries = Uint32Array

/** Writes entries. The walk writes those of most lines itself. */
export class IdWriter {
  #words = new Uint32Array(firstWords)
  #end = 0

  add(id: string, line: number): void {
    const text = toIdBytes(id)
    const at = this.#takeWords(toEntryWords(text.length))
    const bytes = new Uint8Array(this.#words.buffer, at * 4)
    bytes.set(text, idText * 4)
    this.#words[at + idHash] = hashIdBytes(text)
    this.#words[at + idLength] = text.length
    this.#words[at + idLine] = line
  }

  /** Adds an id given as UTF-8. */
  addBytes(source: Uint8Array, start: number, length: number, line: number): void {
    const at = this.#takeWords(toEntryWords(length))
    const bytes = new Uint8Array(this.#words.buffer, (at + idText) * 4, length)
    let hash = hashBasis
    for (let index = 0; index < length; index++) {
      const byte = source[start + index] as number
      bytes[index] = byte
      hash = Math.imul(hash ^ byte, hashPrime)
    }
    this.#words[at + idHash] = (hash ^ (hash >>> hashFold)) >>> 0
    this.#words[at + idLength] = length
    this.#words[at + idLine] = line
  }

  addEntries(entries: IdEntries): void {
    const at = this.#takeWords(entries.length)
    this.#words.set(entries, at)
  }

  finish(): IdEntries {
    return this.#words.slice(0, this.#end)
  }

  #takeWords(words: number): number {
    const at = this.#end
    this.#end += words
    if (this.#end > this.#words.length) {
      const grown = new Uint32Array(this.#end * 2)
      grown.set(this.#words)
      this.#words = grown
    }
    return at
  }
}

/** An id in its entries: `bytes` are its own, and different for different ids. */
export interface IdEntry {
  readonly bytes: Buffer
  readonly lineInBlock: number
}

export function* readIdEntries(entries: IdEntries): Generator<IdEntry> {
  for (let at = 0; at < entries.length; at += toEntryWords(entries[at + idLength] as number)) {
    const length = entries[at + idLength] as number
    const bytes = Buffer.from(entries.buffer, entries.byteOffset + (at + idText) * 4, length)
    yield { bytes, lineInBlock: entries[at + idLine] as number }
  }
}

export function toEntryWords(length: number): number {
  return idText + Math.ceil(length / 4)
}

/** UTF-8; a text with half a character, which UTF-8 does not have, is UTF-16 after a byte that no UTF-8 begins with. */
function toIdBytes(id: string): Buffer {
  return id.isWellFormed() ? Buffer.from(id) : Buffer.concat([Buffer.of(noUtf8), Buffer.from(id, 'utf16le')])
}

export function toIdText(bytes: Buffer): string {
  return bytes[0] === noUtf8 ? bytes.toString('utf16le', 1) : bytes.toString()
}

function hashIdBytes(bytes: Uint8Array): number {
  let hash = hashBasis
  for (const byte of bytes) hash = Math.imul(hash ^ byte, hashPrime)
  return (hash ^ (hash >>> hashFold)) >>> 0
}

const noUtf8 = 0xff
const firstWords = 256
