import type { Column } from '../../records/column.ts'
import type { Bounds } from './bounds.ts'
import type { ColumnChunk } from './column-chunk.ts'
import type { ParquetCompression } from './page-compressor.ts'
import { encodings, pageTypes } from './page-writer.ts'
import { toParquetType, toPath, toSchema } from './parquet-type.ts'
import { formatThrift, thrift, type ThriftFields, type ThriftValue } from './thrift.ts'

/** A row group in its file. */
export interface PlacedRowGroup {
  readonly start: number
  readonly bytes: number
  readonly rows: number
  readonly columns: readonly ColumnChunk[]
}

export interface FileDescription {
  readonly columns: readonly Column[]
  readonly compression: ParquetCompression
  readonly metadata: readonly (readonly [key: string, value: string])[]
}

/** All that stands behind the row groups, at `start` of the file: the indexes of the pages, and the footer. */
export function formatFileEnd(description: FileDescription, groups: readonly PlacedRowGroup[], start: number): Buffer {
  const parts: Uint8Array[] = []
  let end = start
  const place = (bytes: Uint8Array): Place => {
    parts.push(bytes)
    end += bytes.length
    return { offset: end - bytes.length, length: bytes.length }
  }
  const columnIndexes = groups.flatMap(({ columns }) => columns.map((chunk) => place(formatColumnIndex(chunk))))
  const offsetIndexes = groups.flatMap(({ columns, start: groupStart }) =>
    columns.map((chunk) => place(formatOffsetIndex(chunk, groupStart))),
  )
  const { length: width } = description.columns
  const rowGroups = groups.map((group, ordinal) => {
    const placeOf = (places: readonly Place[], index: number) => places[ordinal * width + index] as Place
    const chunkFields = group.columns.map((chunk, index) =>
      thrift.struct({
        2: thrift.i64(0),
        3: toChunkMetadata(description, index, group, chunk),
        ...toPlaceFields(placeOf(offsetIndexes, index), placeOf(columnIndexes, index)),
      }),
    )
    return toRowGroup(group, ordinal, chunkFields)
  })
  const footer = formatThrift(toFileMetadata(description, groups, rowGroups))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([...parts, footer, length, magic])
}

/** The beginning and the end of a Parquet file. */
export const magic = Buffer.from('PAR1')

interface Place {
  readonly offset: number
  readonly length: number
}

function toFileMetadata(
  { columns, metadata }: FileDescription,
  groups: readonly PlacedRowGroup[],
  rowGroups: readonly ThriftValue[],
): ThriftFields {
  const pairs = metadata.map(([key, value]) => thrift.struct({ 1: thrift.text(key), 2: thrift.text(value) }))
  const byType = thrift.struct({ 1: thrift.struct({}) })
  return {
    1: thrift.i32(formatVersion),
    2: toSchema(columns),
    3: thrift.i64(groups.reduce((rows, group) => rows + group.rows, 0)),
    4: thrift.list(rowGroups),
    5: thrift.list(pairs),
    6: thrift.text('catalogue-etl'),
    7: thrift.list(columns.map(() => byType)),
  }
}

function toRowGroup(group: PlacedRowGroup, ordinal: number, chunks: readonly ThriftValue[]): ThriftValue {
  const uncompressedBytes = group.columns.reduce((bytes, chunk) => bytes + chunk.uncompressedBytes, 0)
  return thrift.struct({
    1: thrift.list(chunks),
    2: thrift.i64(uncompressedBytes),
    3: thrift.i64(group.rows),
    5: thrift.i64(group.start),
    6: thrift.i64(group.bytes),
    7: ordinal <= mostOrdinal ? thrift.i16(ordinal) : undefined,
  })
}

function toChunkMetadata(
  { columns, compression }: FileDescription,
  index: number,
  { start }: PlacedRowGroup,
  { dictionaryStart, pages, bounds, ...chunk }: ColumnChunk,
): ThriftValue {
  const column = columns[index] as Column
  const hasDictionary = dictionaryStart !== null
  const valueEncoding = hasDictionary ? encodings.rleDictionary : encodings.plain
  const used = hasDictionary
    ? [encodings.plain, encodings.rle, encodings.rleDictionary]
    : [encodings.plain, encodings.rle]
  return thrift.struct({
    1: thrift.i32(toParquetType(column.type).physical),
    2: thrift.list(used.map(thrift.i32)),
    3: thrift.list(toPath(column).map(thrift.text)),
    4: thrift.i32(codecs[compression]),
    5: thrift.i64(chunk.values),
    6: thrift.i64(chunk.uncompressedBytes),
    7: thrift.i64(chunk.compressedBytes),
    9: thrift.i64(start + (pages[0]?.start ?? 0)),
    11: hasDictionary ? thrift.i64(start + dictionaryStart) : undefined,
    12: toStatistics(chunk.nulls, bounds),
    13: thrift.list([
      ...(hasDictionary ? [toPageCount(pageTypes.dictionary, encodings.plain, 1)] : []),
      toPageCount(pageTypes.data, valueEncoding, pages.length),
    ]),
  })
}

function toStatistics(nulls: number, bounds: Bounds | null): ThriftValue {
  return thrift.struct({
    3: thrift.i64(nulls),
    ...(bounds !== null && {
      5: thrift.binary(bounds.max),
      6: thrift.binary(bounds.min),
      7: thrift.boolean(bounds.isMaxExact),
      8: thrift.boolean(bounds.isMinExact),
    }),
  })
}

function toPageCount(pageType: number, encoding: number, count: number): ThriftValue {
  return thrift.struct({ 1: thrift.i32(pageType), 2: thrift.i32(encoding), 3: thrift.i32(count) })
}

function toPlaceFields(offsetIndex: Place, columnIndex: Place): ThriftFields {
  return {
    4: thrift.i64(offsetIndex.offset),
    5: thrift.i32(offsetIndex.length),
    6: thrift.i64(columnIndex.offset),
    7: thrift.i32(columnIndex.length),
  }
}

/** What the pages of a chunk hold. A page of nulls has bounds of no bytes. */
function formatColumnIndex({ pages }: ColumnChunk): Uint8Array {
  const none = new Uint8Array(0)
  return formatThrift({
    1: thrift.list(pages.map(({ bounds }) => thrift.boolean(bounds === null))),
    2: thrift.list(pages.map(({ bounds }) => thrift.binary(bounds?.min ?? none))),
    3: thrift.list(pages.map(({ bounds }) => thrift.binary(bounds?.max ?? none))),
    4: thrift.i32(unordered),
    5: thrift.list(pages.map(({ nulls }) => thrift.i64(nulls))),
  })
}

/** Where the pages of a chunk are. */
function formatOffsetIndex({ pages }: ColumnChunk, groupStart: number): Uint8Array {
  const places = pages.map(({ start, bytes, firstRow }) =>
    thrift.struct({ 1: thrift.i64(groupStart + start), 2: thrift.i32(bytes), 3: thrift.i64(firstRow) }),
  )
  return formatThrift({ 1: thrift.list(places) })
}

const codecs = { none: 0, snappy: 1, gzip: 2, zstd: 6 } as const
const formatVersion = 1
const unordered = 0
/** A row group's number has 16 bits, and may be left out. */
const mostOrdinal = 2 ** 15 - 1
