import { type IdEntries, toEntryWords } from '../../records/id-entries.ts'
import { idHash, idLength, idText } from '../../records/id-layout.ts'
import { ExtentWriter } from './extent-file.ts'

/** Writes the ids of a shard by hash bucket: for each the number of its block, then its entry (id-layout.ts). */
export class IdFileWriter {
  readonly #buckets: number
  readonly #extents: ExtentWriter

  constructor(buckets: number, write: (bytes: Uint8Array) => Promise<void>) {
    this.#buckets = buckets
    this.#extents = new ExtentWriter(write)
  }

  async add(block: number, entries: IdEntries): Promise<void> {
    for (let at = 0; at < entries.length;) {
      const words = toEntryWords(entries[at + idLength] as number)
      const bucket = this.#extents.at(toBucket(entries[at + idHash] as number, this.#buckets))
      bucket.push(block)
      bucket.pushAll(entries.subarray(at, at + words))
      at += words
    }
    await this.#extents.flushIfFull()
  }

  finish(): Promise<void> {
    return this.#extents.finish()
  }
}

/**
 * The places of the ids in words that were read, in the order of their lines. At each place is the number of the block,
 * then the entry.
 */
export function findIds(words: Uint32Array): Uint32Array {
  const found = new Uint32Array(Math.ceil(words.length / (1 + idText)))
  let count = 0
  for (let at = 0; at < words.length; at += 1 + toEntryWords(words[at + 1 + idLength] as number)) found[count++] = at
  return found.subarray(0, count)
}

/** The bucket of a hash. Sets of ids choose slots by other bits of it. */
function toBucket(hash: number, buckets: number): number {
  return Math.floor(((Math.imul(hash, spread) >>> 0) / 2 ** 32) * buckets)
}

/** Odd, so that different hashes stay different. */
const spread = 0x85ebca6b
