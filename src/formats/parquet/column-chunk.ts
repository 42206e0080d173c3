import type { MemorySpace } from '../../records/memory/memory-space.ts'
import { maxIsRaised, minIsCut } from './row-group-layout.ts'

/** One column of a row group, encoded: the offsets of its pages, and their metadata. Plain data. */
export interface ColumnChunk {
  /** Offset of the dictionary's page in the row group; null if there is none. */
  readonly dictionaryStart: number | null
  readonly compressedBytes: number
  readonly uncompressedBytes: number
  /** A null, or a list without elements, counts as one. */
  readonly values: number
  readonly nulls: number
  /** Null if there are only nulls, or a NaN. */
  readonly bounds: Bounds | null
  readonly pages: readonly DataPage[]
}

export interface DataPage {
  readonly start: number
  /** Includes the header. */
  readonly bytes: number
  /** Counted from the beginning of the row group. */
  readonly firstRow: number
  readonly values: number
  readonly nulls: number
  readonly bounds: Bounds | null
}

/** The least and the greatest of some values, in plain encoding without lengths, each with a buffer of its own. */
export interface Bounds {
  readonly min: Uint8Array
  readonly max: Uint8Array
  /** False if long text was cut: then all values are at or above `min`, but none may be equal to it. */
  readonly isMinExact: boolean
  readonly isMaxExact: boolean
}

/** Reads what the kernel says of chunks, as kernel/crates/kernel/src/parquet/facts.rs describes it. */
export function readColumnChunks(space: MemorySpace, facts: number, count: number): ColumnChunk[] {
  let at = facts
  let end = 0

  function readWord(): number {
    at += 4
    return space.word(at - 4)
  }

  function readChunk(): ColumnChunk {
    const start = end
    const dictionaryBytes = readWord()
    let uncompressedBytes = readWord()
    const pageCount = readWord()
    const bounds = readBounds()
    end += dictionaryBytes
    const pages = Array.from({ length: pageCount }, () => {
      const page = readPage()
      uncompressedBytes += page.uncompressedBytes
      return page.page
    })
    return {
      dictionaryStart: dictionaryBytes === 0 ? null : start,
      compressedBytes: end - start,
      uncompressedBytes,
      values: pages.reduce((sum, { values }) => sum + values, 0),
      nulls: pages.reduce((sum, { nulls }) => sum + nulls, 0),
      bounds,
      pages,
    }
  }

  function readPage(): { readonly page: DataPage; readonly uncompressedBytes: number } {
    const [start, bytes, uncompressedBytes] = [end, readWord(), readWord()]
    end += bytes
    const [values, nulls, firstRow] = [readWord(), readWord(), readWord()]
    return { page: { start, bytes, firstRow, values, nulls, bounds: readBounds() }, uncompressedBytes }
  }

  function readBounds(): Bounds | null {
    const [are, minLength, maxLength] = [readWord(), readWord(), readWord()]
    const [min, max] = [readBytes(at, minLength), readBytes(at + minLength, maxLength)]
    at += Math.ceil((minLength + maxLength) / 4) * 4
    return are === 0 ? null : { min, max, isMinExact: (are & minIsCut) === 0, isMaxExact: (are & maxIsRaised) === 0 }
  }

  function readBytes(start: number, bytes: number): Uint8Array {
    return new Uint8Array(space.bytes.subarray(start, start + bytes))
  }

  return Array.from({ length: count }, readChunk)
}
