import type { Column } from '../../records/flatten/column.ts'
import { copyBytes } from '../../records/memory/copy-bytes.ts'
import { type ColumnChunk, createColumnEncoder, type EncodeColumn } from './column-encoder.ts'
import type { ColumnSlice } from './gather-column.ts'
import { loadPageCompressor, type ParquetCompression, PageWriter } from './page-writer.ts'
import { PageMemory } from './page-memory.ts'
import { parquetFailure, countBuffers, readRecordBatch } from './record-batch.ts'
import type { RowGroup } from './row-group-cutter.ts'

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
export type EncodeRowGroup = (group: RowGroup) => EncodedRowGroup

/** `memory` serves many encoders of a thread: it grows to the size that the largest row group takes. */
export async function createRowGroupEncoder(
  columns: readonly Column[],
  compression: ParquetCompression,
  memory = new PageMemory(),
): Promise<EncodeRowGroup> {
  const compress = await loadPageCompressor(compression)
  const encoders = columns.map((column) => createColumnEncoder(memory, column))

  function encode(group: RowGroup): EncodedRowGroup {
    const { rows } = group
    const slices = copyBatches(memory, columns, group)
    const pages = new PageWriter(compress)
    const chunks = encoders.map((encodeColumn: EncodeColumn, index) => {
      return encodeColumn(
        slices.map((columnSlices) => columnSlices[index] as ColumnSlice),
        rows,
        pages,
      )
    })
    return { rows, bytes: pages.join(), columns: chunks }
  }

  return (group) => {
    const counted = group.batches.reduce((rows, { from, to }) => rows + to - from, 0)
    if (counted !== group.rows) throw parquetFailure(`a row group lacks rows, expected ${group.rows}, got ${counted}`)
    try {
      return encode(group)
    } finally {
      memory.release()
    }
  }
}

function copyBatches(memory: PageMemory, columns: readonly Column[], { batches, bytes }: RowGroup): ColumnSlice[][] {
  let next = copyChunks(memory, bytes)
  return batches.map(({ length, from, to }) => {
    const address = next
    next += length
    const { table } = readRecordBatch(columns, memory.bytes.subarray(address, next))
    let at = 0
    return columns.map((column) => {
      const end = at + 2 * countBuffers([column])
      const buffers: number[] = []
      for (; at < end; at += 2) buffers.push(table[at + 1] === 0 ? 0 : address + (table[at] as number))
      return { buffers, from, to }
    })
  })
}

function copyChunks(memory: PageMemory, bytes: readonly Uint8Array[]): number {
  const address = memory.take(bytes.reduce((sum, { length }) => sum + length, 0))
  let end = address
  for (const part of bytes) {
    copyBytes(part, memory.bytes, end)
    end += part.length
  }
  return address
}
