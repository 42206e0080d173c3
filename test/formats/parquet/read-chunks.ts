import { parseThrift } from './parse-thrift.ts'

/** One column of a row group, as the footer, the indexes and the headers of the pages describe it. */
export interface ReadChunk {
  readonly group: number
  readonly column: number
  readonly rows: number
  readonly values: number
  readonly uncompressedBytes: number
  readonly compressedBytes: number
  readonly nulls: number
  readonly bounds: ReadBounds | null
  readonly dictionary: ReadPage | null
  readonly pages: readonly ReadDataPage[]
}

/** In plain encoding; pages have no flags of exactness. */
export interface ReadBounds {
  readonly min: Buffer
  readonly max: Buffer
  readonly isMinExact?: boolean | undefined
  readonly isMaxExact?: boolean | undefined
}

export interface ReadPage {
  /** Offset of the header in the file. */
  readonly start: number
  readonly headerBytes: number
  readonly uncompressedBytes: number
  readonly crc: number
  /** As it is in the file. */
  readonly body: Buffer
  readonly values: number
  readonly encoding: number
}

export interface ReadDataPage extends ReadPage {
  readonly firstRow: number
  readonly nulls: number
  readonly bounds: ReadBounds | null
}

/** All chunks of a file, in the order in which they are in it. Trusts nothing but the numbers of the footer and indexes. */
export function readChunks(file: Buffer): ReadChunk[] {
  const footerStart = file.length - 8 - file.readUInt32LE(file.length - 8)
  const footer = parseThrift(file, footerStart).value as Footer
  return footer.field_4.flatMap(({ field_1: chunks, field_3: rows }, group) =>
    chunks.map((chunk, column) => ({ group, column, rows: Number(rows), ...readChunk(file, chunk) })),
  )
}

function readChunk(file: Buffer, { field_3: metadata, field_4, field_6 }: Chunk) {
  const offsets = parseThrift(file, Number(field_4)).value as OffsetIndex
  const index = parseThrift(file, Number(field_6)).value as ColumnIndex
  const { field_3: nulls, field_5: max, field_6: min, field_7: isMaxExact, field_8: isMinExact } = metadata.field_12
  const pages = offsets.field_1.map(({ field_1: start, field_2: bytes, field_3: firstRow }, at) => ({
    ...readPage(file, Number(start), bytes),
    firstRow: Number(firstRow),
    nulls: Number(index.field_5[at]),
    bounds: index.field_1[at]
      ? null
      : { min: Buffer.from(index.field_2[at] as Uint8Array), max: Buffer.from(index.field_3[at] as Uint8Array) },
  }))
  const [dictionaryStart, firstStart] = [metadata.field_11, metadata.field_9].map(Number) as [number, number]
  const hasDictionary = metadata.field_11 !== undefined
  return {
    values: Number(metadata.field_5),
    uncompressedBytes: Number(metadata.field_6),
    compressedBytes: Number(metadata.field_7),
    nulls: Number(nulls),
    bounds:
      min === undefined || max === undefined
        ? null
        : { min: Buffer.from(min), max: Buffer.from(max), isMinExact, isMaxExact },
    dictionary: hasDictionary ? readPage(file, dictionaryStart, firstStart - dictionaryStart) : null,
    pages,
  }
}

function readPage(file: Buffer, start: number, bytes: number): ReadPage {
  const { value, bytes: headerBytes } = parseThrift(file, start)
  const header = value as PageHeader
  const { field_1: values, field_2: encoding } = header.field_5 ?? header.field_7 ?? { field_1: 0, field_2: -1 }
  const body = file.subarray(start + headerBytes, start + bytes)
  if (body.length !== header.field_3) throw new Error(`a page has ${body.length} bytes, says ${header.field_3}`)
  return { start, headerBytes, uncompressedBytes: header.field_2, crc: header.field_4, body, values, encoding }
}

interface Footer {
  field_4: { field_1: Chunk[]; field_3: bigint }[]
}

interface Chunk {
  field_3: ChunkMetadata
  field_4: bigint
  field_6: bigint
}

interface ChunkMetadata {
  field_5: bigint
  field_6: bigint
  field_7: bigint
  field_9: bigint
  field_11?: bigint
  field_12: {
    field_3: bigint
    field_5?: Uint8Array
    field_6?: Uint8Array
    field_7?: boolean
    field_8?: boolean
  }
}

interface OffsetIndex {
  field_1: { field_1: bigint; field_2: number; field_3: bigint }[]
}

interface ColumnIndex {
  field_1: boolean[]
  field_2: Uint8Array[]
  field_3: Uint8Array[]
  field_5: bigint[]
}

interface PageHeader {
  field_2: number
  field_3: number
  field_4: number
  field_5?: { field_1: number; field_2: number }
  field_7?: { field_1: number; field_2: number }
}
