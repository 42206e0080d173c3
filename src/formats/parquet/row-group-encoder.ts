import type { Column } from '../../records/flatten/column.ts'
import { copyBytes, toOwnBytes } from '../../records/memory/copy-bytes.ts'
import type { KernelThreads, RunByThread } from '../../records/memory/kernel-threads.ts'
import { type MemoryRange, MemorySpace } from '../../records/memory/memory-space.ts'
import type { ParquetType, Storage } from '../../types/column-type-definition.ts'
import { typeOf } from '../../types/column-types.ts'
import { type ColumnChunk, readColumnChunks } from './column-chunk.ts'
import { type CompressPage, loadPageCompressor, type ParquetCompression } from './page-compressor.ts'
import { alignUp, noBatch, parquetFailure } from './record-batch.ts'
import type { RowGroup } from './row-group-cutter.ts'
import {
  booleanColumn,
  decimal32Column,
  decimal64Column,
  float64Column,
  int32Column,
  int64Column,
  longDecimalColumn,
  textColumn,
} from './row-group-layout.ts'

/** An encoded row group, for `createRowGroupFile`. Plain data: it can be sent to another thread. */
export interface EncodedRowGroup {
  readonly rows: number
  /** All pages, in a buffer of their own, which may be transferred. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly columns: readonly ColumnChunk[]
}

/**
 * A pure function: the same batches give the same bytes in any thread. Throws OUTPUT_FAILED at a batch of other
 * columns.
 */
export type EncodeRowGroup = (group: RowGroup) => Promise<EncodedRowGroup>

/**
 * `space` serves many encoders of a thread: it grows to the size that the largest row group takes. With `threads` the
 * kernel runs there, if it compresses by itself.
 */
export async function createRowGroupEncoder(
  columns: readonly Column[],
  compression: ParquetCompression,
  space = new MemorySpace(),
  threads: KernelThreads | null = null,
): Promise<EncodeRowGroup> {
  const compressPage = await loadPageCompressor(compression)
  const compress = compressPage && compressWithin(space, compressPage)
  const kernel = space.kernel as unknown as RowGroupKernel
  const run =
    threads === null || compress !== null
      ? (group: number) => kernel.encodeRowGroup(group, compress)
      : (group: number) => threads.run(kernel.encodeRowGroupOn, group)
  const columnWords = columns.flatMap(toColumnWords)
  const isCompressed = Number(compression !== 'none')
  let leastRoomBytes = 0

  /** Null if the room is too small. */
  async function encode(group: RowGroup, roomBytes: number): Promise<EncodedRowGroup | null> {
    const range = space.take(Math.ceil(roomBytes / stepBytes) * stepBytes)
    try {
      const { facts, pages } = layOut(group, range)
      const answer = await run(range.address)
      if (answer === noRoom) return null
      if (answer < 0) throw noBatch()
      const bytes = toOwnBytes(space.view({ address: pages, bytes: answer }))
      return { rows: group.rows, bytes, columns: readColumnChunks(space, facts, columns.length) }
    } finally {
      space.release(range)
    }
  }

  /** Puts a row group into memory as the kernel reads it, and leaves an eighth of the rest for the facts. */
  function layOut({ batches, bytes }: RowGroup, { address, bytes: roomBytes }: MemoryRange) {
    const batchWords = batches.flatMap(({ length, from, to }) => [length, from, to])
    const columnsAt = address + groupWords * 4
    const batchesAt = columnsAt + columnWords.length * 4
    const bytesAt = alignUp(batchesAt + batchWords.length * 4)
    const limit = address + roomBytes
    const facts = alignUp(copyChunks(bytes, space.bytes, bytesAt)) + spareBytes
    const pages = facts + alignUp((limit - facts) / 8)
    const head = [columnsAt, columns.length, batchesAt, batches.length, bytesAt, facts, pages, limit, isCompressed]
    space.wordsIn(address, bytesAt).set([...head, ...columnWords, ...batchWords])
    return { facts, pages }
  }

  return async (group) => {
    checkRows(group)
    for (;;) {
      const roomBytes = Math.max(leastRoomBytes, columnWords.length * 4 + usualRoomBytes(group))
      const encoded = await encode(group, roomBytes)
      if (encoded !== null) return encoded
      leastRoomBytes = 1.5 * roomBytes
    }
  }
}

function checkRows({ rows, batches }: RowGroup): void {
  const counted = batches.reduce((sum, { from, to }) => sum + to - from, 0)
  if (counted !== rows) throw parquetFailure(`a row group lacks rows, expected ${rows}, got ${counted}`)
}

function usualRoomBytes({ batches, bytes }: RowGroup): number {
  return mebibyte + 12 * batches.length + 2.5 * bytes.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the end of the copy. */
function copyChunks(chunks: readonly Uint8Array[], to: Buffer, at: number): number {
  let end = at
  for (const chunk of chunks) {
    copyBytes(chunk, to, end)
    end += chunk.length
  }
  return end
}

function toColumnWords({ type, list }: Column): number[] {
  const { storage, parquet } = typeOf(type)
  return [toKind(storage, parquet), Number(list), parquet.length ?? 0]
}

function toKind({ kind }: Storage, { physical }: ParquetType): number {
  switch (kind) {
    case 'utf8':
      return textColumn
    case 'bit':
      return booleanColumn
    case 'int32':
      return int32Column
    case 'int64':
      return int64Column
    case 'float64':
      return float64Column
    case 'int128':
      return physical === 'int32' ? decimal32Column : physical === 'int64' ? decimal64Column : longDecimalColumn
  }
}

interface RowGroupKernel {
  /** Returns the bytes of the pages, `noRoom`, or a lower number for bytes that are no batches of the columns. */
  encodeRowGroup(group: number, compress: CompressRange | null): number
  readonly encodeRowGroupOn: RunByThread
}

/** Compresses bytes at an address to another one, and returns how many they are then. */
type CompressRange = (from: number, bytes: number, to: number) => number

function compressWithin(space: MemorySpace, compress: CompressPage): CompressRange {
  return (from, bytes, to) => {
    const compressed = compress(space.bytes.subarray(from >>> 0, (from >>> 0) + bytes))
    copyBytes(compressed, space.bytes, to >>> 0)
    return compressed.length
  }
}

const groupWords = 9
const noRoom = -1
/** Texts are read a little beyond the end of the batches. */
const spareBytes = 64
const mebibyte = 1024 * 1024
/** Row groups of almost the same size take the same memory, one after the other. */
const stepBytes = 4 * mebibyte
