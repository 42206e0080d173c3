import { type IdEntries, toEntryWords } from '../../records/id-entries.ts'
import { idHash, idLength } from '../../records/id-layout.ts'
import { ExtentWriter } from './extent-file.ts'

/** Writes the ids of a shard by hash bucket: for each the number of its block, then its entry (id-layout.ts). */
export class IdFileWriter {
  readonly #buckets: number
  readonly #extents: ExtentWriter

  constructor(buckets: number, write: (bytes: Uint8Array) => Promise<void>) {
    this.#buckets = buckets
    this.#extents = new ExtentWriter(write)
  }

  /** Adds a copy of the ids of a block. */
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

  /** Writes what is left, and the index. */
  finish(): Promise<void> {
    return this.#extents.finish()
  }
}

/** An id in an extent: its entry has `words` words from `at` on. */
export interface BlockId {
  readonly block: number
  readonly at: number
  readonly words: number
}

/** The ids of an extent, in the order of their lines. */
export function* listBlockIds(extent: Uint32Array): Generator<BlockId> {
  for (let at = 0; at < extent.length;) {
    const words = toEntryWords(extent[at + 1 + idLength] as number)
    yield { block: extent[at] as number, at: at + 1, words }
    at += 1 + words
  }
}

/** The bucket of a hash. Sets choose their slots by other bits of it. */
function toBucket(hash: number, buckets: number): number {
  return Math.floor(((Math.imul(hash, spread) >>> 0) / 2 ** 32) * buckets)
}

/** Odd, so that different hashes stay different. */
const spread = 0x85ebca6b
