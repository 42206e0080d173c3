import { type Column, describeUnit } from '../../records/flatten/column.ts'
import type { Bounds, ColumnChunk } from './column-chunk.ts'
import type { ParquetCompression } from './page-compressor.ts'
import { toPath, toPhysicalType } from './parquet-type.ts'
import type { EncodedRowGroup } from './row-group-encoder.ts'
import { formatThrift, thrift, type ThriftValue } from './thrift.ts'

export interface RowGroupMetadata {
  readonly start: number
  readonly bytes: number
  readonly uncompressedBytes: number
  readonly rows: number
  readonly columns: readonly ColumnMetadata[]
}

/** Three formatted structs: in this form they take less memory until the file ends. */
export interface ColumnMetadata {
  readonly chunk: Uint8Array
  readonly columnIndex: Uint8Array | null
  readonly offsetIndex: Uint8Array
}

/** `start` is the offset of the row group in the file. */
export function formatRowGroupMetadata(
  columns: readonly Column[],
  compression: ParquetCompression,
  { rows, bytes, columns: chunks }: EncodedRowGroup,
  start: number,
): RowGroupMetadata {
  return {
    start,
    bytes: bytes.length,
    uncompressedBytes: chunks.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0),
    rows,
    columns: chunks.map((chunk, index) => ({
      chunk: formatChunk(columns[index] as Column, compression, chunk, start),
      columnIndex: formatColumnIndex(chunk),
      offsetIndex: formatOffsetIndex(chunk, start),
    })),
  }
}

function formatChunk(
  column: Column,
  compression: ParquetCompression,
  { dictionaryStart, pages, bounds, ...chunk }: ColumnChunk,
  groupStart: number,
): Uint8Array {
  const hasDictionary = dictionaryStart !== null
  const valueEncoding = hasDictionary ? encodings.rleDictionary : encodings.plain
  const used = hasDictionary
    ? [encodings.plain, encodings.rle, encodings.rleDictionary]
    : [encodings.plain, encodings.rle]
  const described = Object.entries(describeColumn(column))
  return formatThrift({
    1: thrift.i32(toPhysicalType(column.type)),
    2: thrift.list(used.map(thrift.i32)),
    3: thrift.list(toPath(column).map(thrift.text)),
    4: thrift.i32(codecs[compression]),
    5: thrift.i64(chunk.values),
    6: thrift.i64(chunk.uncompressedBytes),
    7: thrift.i64(chunk.compressedBytes),
    8: described.length === 0 ? undefined : thrift.list(described.map(toPair)),
    9: thrift.i64(groupStart + (pages[0]?.start ?? 0)),
    11: hasDictionary ? thrift.i64(groupStart + dictionaryStart) : undefined,
    12: toStatistics(chunk.nulls, bounds),
    13: thrift.list([
      ...(hasDictionary ? [toPageCount(pageTypes.dictionary, encodings.plain, 1)] : []),
      toPageCount(pageTypes.data, valueEncoding, pages.length),
    ]),
  })
}

export function toPair([key, value]: readonly [key: string, value: string]): ThriftValue {
  return thrift.struct({ 1: thrift.text(key), 2: thrift.text(value) })
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

/** The bounds of the pages of a chunk. A page of nulls has bounds of no bytes. */
function formatColumnIndex({ pages }: ColumnChunk): Uint8Array | null {
  if (pages.some(({ bounds, nulls, values }) => bounds === null && nulls < values)) return null
  const none = new Uint8Array(0)
  return formatThrift({
    1: thrift.list(pages.map(({ bounds }) => thrift.boolean(bounds === null))),
    2: thrift.list(pages.map(({ bounds }) => thrift.binary(bounds?.min ?? none))),
    3: thrift.list(pages.map(({ bounds }) => thrift.binary(bounds?.max ?? none))),
    4: thrift.i32(unordered),
    5: thrift.list(pages.map(({ nulls }) => thrift.i64(nulls))),
  })
}

function formatOffsetIndex({ pages }: ColumnChunk, groupStart: number): Uint8Array {
  const locations = pages.map(({ start, bytes, firstRow }) =>
    thrift.struct({ 1: thrift.i64(groupStart + start), 2: thrift.i32(bytes), 3: thrift.i64(firstRow) }),
  )
  return formatThrift({ 1: thrift.list(locations) })
}

const encodings = { plain: 0, rle: 3, rleDictionary: 8 } as const
const pageTypes = { data: 0, dictionary: 2 } as const
const codecs = { none: 0, snappy: 1, gzip: 2, zstd: 6 } as const
const unordered = 0

type Pairs = Readonly<Record<string, string>>

/** Descriptions of columns beyond their types, as key-value pairs of the footer: JSON by the name of the column. */
export function describeColumns(columns: readonly Column[]): Pairs {
  return {
    ...toJsonPair('catalogue-etl.units', columns, ({ unit }) => unit && describeUnit(unit)),
    ...toJsonPair('catalogue-etl.time_zones', columns, ({ timezone }) => timezone),
  }
}

export function describeColumn({ unit, timezone }: Column): Pairs {
  return {
    ...(unit !== undefined && { unit: describeUnit(unit) }),
    ...(timezone !== undefined && { time_zone: timezone }),
  }
}

function toJsonPair(key: string, columns: readonly Column[], describe: (column: Column) => string | undefined): Pairs {
  const entries = columns.flatMap((column) => {
    const text = describe(column)
    return text === undefined ? [] : [[column.name, text] as const]
  })
  return entries.length === 0 ? {} : { [key]: JSON.stringify(Object.fromEntries(entries)) }
}
