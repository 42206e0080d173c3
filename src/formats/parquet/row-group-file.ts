import type { Column } from '../../records/flatten/column.ts'
import { arrowSchemaKey, type FieldMetadata, formatArrowSchema } from './arrow-schema.ts'
import { describeColumns, formatRowGroupMetadata, type RowGroupMetadata, toPair } from './row-group-metadata.ts'
import type { ParquetCompression } from './page-compressor.ts'
import { type FieldIds, toSchema } from './parquet-type.ts'
import { parquetFailure } from './record-batch.ts'
import type { EncodedRowGroup } from './row-group-encoder.ts'
import { formatThrift, thrift, type ThriftFields, type ThriftValue } from './thrift.ts'

export interface RowGroupFileOptions {
  readonly columns: readonly Column[]
  readonly compression: ParquetCompression
  /** Key-value pairs of the footer, in this order. */
  readonly metadata: Readonly<Record<string, string>>
  /** The key of the run id, the last pair of the footer. */
  readonly runIdKey?: string
  /** Metadata of columns, for readers of Arrow. Default: none, and no schema of Arrow. */
  readonly fields?: FieldMetadata | undefined
  /** By column, for table formats that know columns by ids. Default: none. */
  readonly fieldIds?: readonly FieldIds[] | undefined
  /** Gets each row group before it is written, for the statistics of the file. */
  readonly onRowGroup?: ((group: Pick<EncodedRowGroup, 'rows' | 'columns'>) => void) | undefined
  /** Gets the bytes of the file from its beginning to its end, each call awaited. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/**
 * One Parquet file, composed of row groups that were encoded elsewhere. Each call has to wait for the one before. The
 * same row groups, metadata and run id give the same bytes.
 */
export interface RowGroupFile {
  /** Writes the next row group. Throws OUTPUT_FAILED if it has other columns. */
  append(group: EncodedRowGroup): Promise<void>
  /** Writes the footer. A file may have no row group. */
  finish(runId: string): Promise<{ rows: number }>
}

export function createRowGroupFile(options: RowGroupFileOptions): RowGroupFile {
  const { columns, compression, runIdKey = 'catalogue-etl.run_id', fields, fieldIds } = options
  const groups: RowGroupMetadata[] = []
  let position = 0

  async function write(bytes: Uint8Array): Promise<void> {
    position += bytes.length
    await options.write(bytes)
  }

  async function beginUnlessBegun(): Promise<void> {
    if (position === 0) await write(magic)
  }

  return {
    async append(group) {
      if (group.columns.length !== columns.length) throw parquetFailure('a row group has other columns than the file')
      await beginUnlessBegun()
      options.onRowGroup?.(group)
      groups.push(formatRowGroupMetadata(columns, compression, group, position))
      await write(group.bytes)
    },
    async finish(runId) {
      await beginUnlessBegun()
      const described = Object.entries(describeColumns(columns))
      const pairs = [...Object.entries(options.metadata), ...described, [runIdKey, runId] as const]
      const metadata =
        fields === undefined ? pairs : [...pairs, [arrowSchemaKey, formatArrowSchema(columns, fields, pairs)] as const]
      await write(formatFileEnd({ columns, metadata, fieldIds }, groups, position))
      return { rows: groups.reduce((sum, { rows }) => sum + rows, 0) }
    },
  }
}

export interface FileDescription {
  readonly columns: readonly Column[]
  readonly metadata: readonly (readonly [key: string, value: string])[]
  readonly fieldIds?: readonly FieldIds[] | undefined
}

/** The bytes after the row groups, which begin at `start` in the file: the indexes of the pages, and the footer. */
export function formatFileEnd(
  description: FileDescription,
  groups: readonly RowGroupMetadata[],
  start: number,
): Buffer {
  const parts: Uint8Array[] = []
  let end = start
  const append = (bytes: Uint8Array): ByteRange => {
    parts.push(bytes)
    end += bytes.length
    return { offset: end - bytes.length, length: bytes.length }
  }
  const columnIndexes = groups.flatMap(({ columns }) =>
    columns.map(({ columnIndex }) => columnIndex && append(columnIndex)),
  )
  const offsetIndexes = groups.flatMap(({ columns }) => columns.map(({ offsetIndex }) => append(offsetIndex)))
  const { length: width } = description.columns
  const rowGroups = groups.map((group, ordinal) => {
    const ofGroup = <Range>(ranges: readonly Range[]) => ranges.slice(ordinal * width, (ordinal + 1) * width)
    return toRowGroup(group, ordinal, ofGroup(columnIndexes), ofGroup(offsetIndexes))
  })
  const footer = formatThrift(toFileMetadata(description, groups, rowGroups))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([...parts, footer, length, magic])
}

export const magic = Buffer.from('PAR1')

interface ByteRange {
  readonly offset: number
  readonly length: number
}

function toFileMetadata(
  { columns, metadata, fieldIds }: FileDescription,
  groups: readonly RowGroupMetadata[],
  rowGroups: readonly ThriftValue[],
): ThriftFields {
  const byType = thrift.struct({ 1: thrift.struct({}) })
  return {
    1: thrift.i32(formatVersion),
    2: toSchema(columns, fieldIds),
    3: thrift.i64(groups.reduce((rows, group) => rows + group.rows, 0)),
    4: thrift.list(rowGroups),
    5: thrift.list(metadata.map(toPair)),
    6: thrift.text('catalogue-etl'),
    7: thrift.list(columns.map(() => byType)),
  }
}

function toRowGroup(
  { columns, ...group }: RowGroupMetadata,
  ordinal: number,
  columnIndexes: readonly (ByteRange | null)[],
  offsetIndexes: readonly ByteRange[],
): ThriftValue {
  const chunks = columns.map(({ chunk }, index) =>
    thrift.struct({
      2: thrift.i64(0),
      3: thrift.formatted(chunk),
      ...toIndexFields(offsetIndexes[index] as ByteRange, columnIndexes[index] ?? null),
    }),
  )
  return thrift.struct({
    1: thrift.list(chunks),
    2: thrift.i64(group.uncompressedBytes),
    3: thrift.i64(group.rows),
    5: thrift.i64(group.start),
    6: thrift.i64(group.bytes),
    7: ordinal <= mostOrdinal ? thrift.i16(ordinal) : undefined,
  })
}

function toIndexFields(offsetIndex: ByteRange, columnIndex: ByteRange | null): ThriftFields {
  return {
    4: thrift.i64(offsetIndex.offset),
    5: thrift.i32(offsetIndex.length),
    ...(columnIndex !== null && { 6: thrift.i64(columnIndex.offset), 7: thrift.i32(columnIndex.length) }),
  }
}

const formatVersion = 1
/** A row group's number has 16 bits, and may be left out. */
const mostOrdinal = 2 ** 15 - 1
