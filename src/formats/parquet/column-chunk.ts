import type { Bounds } from './bounds.ts'

/** One column of a row group, as it is written: where its pages are, and what the metadata says of them. Plain data. */
export interface ColumnChunk {
  /** Of the dictionary's page, from the beginning of the row group; null where there is none. */
  readonly dictionaryStart: number | null
  /** With the headers of the pages. */
  readonly compressedBytes: number
  readonly uncompressedBytes: number
  /** Nulls, and lists that have no elements, count as one. */
  readonly values: number
  readonly nulls: number
  /** Null where there are only nulls, or a NaN. */
  readonly bounds: Bounds | null
  /** At least one. */
  readonly pages: readonly DataPage[]
}

export interface DataPage {
  /** From the beginning of the row group. */
  readonly start: number
  /** With its header. */
  readonly bytes: number
  /** From the beginning of the row group. */
  readonly firstRow: number
  /** Nulls, and lists that have no elements, count as one. */
  readonly values: number
  readonly nulls: number
  readonly bounds: Bounds | null
}
