import { CatalogueError } from '../../errors.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { Storage } from '../../types/column-type-definition.ts'
import { typeOf } from '../../types/column-types.ts'

/**
 * The input of the row group encoder: rows in the columnar layout of Arrow without its messages, in one Uint8Array
 * with a buffer of its own. All is little-endian, offsets are in bytes from the beginning.
 *
 * - u32 at 0: the rows; u32 at 4: the bytes of the batch.
 * - From byte 8 on: the table, with two u32 for each buffer, its start and its length in bytes.
 * - The buffers, in the order of the columns: each starts at the next multiple of 16, and the batch ends at one; between
 *   them are zeros. A column has its validity, its offsets and its values; a list column has its validity, its offsets
 *   and then the buffers of its elements.
 *   - Validity: a bitmap, the least significant bit first, 1 for a value, 0 for null. No bytes if nothing is null.
 *   - Offsets, of text and lists only: an Int32 more than there are values, the first 0: value `i` extends from
 *     offset `i` to offset `i + 1`, in bytes or in elements. A null list has no elements.
 *   - Values: in the type's `storage`, `utf8` without separators, `bit` as a bitmap. The value of a null is zero.
 */
export interface RecordBatch {
  readonly rows: number
  /** Two words for each buffer: its start and its length. */
  readonly table: Uint32Array<ArrayBuffer>
}

/**
 * Finds the buffers of a batch. Throws OUTPUT_FAILED if the bytes are no batch of these columns; the content of the
 * buffers is not checked.
 */
export function readRecordBatch(columns: readonly BatchColumn[], bytes: Uint8Array): RecordBatch {
  const rows = countBatchRows(bytes)
  const bufferCount = countBuffers(columns)
  if (headBytes(bufferCount) > bytes.length) throw noBatch()
  const table = new Uint32Array(new Uint8Array(bytes.subarray(tableStart, tableStart + bufferCount * 8)).buffer)
  checkStarts(table, bytes.length)
  checkLengths(columns, rows, table, bytes)
  return { rows, table }
}

export type BatchColumn = Pick<Column, 'type' | 'list'>

/** Throws OUTPUT_FAILED if the bytes are not as long as the batch says. */
export function countBatchRows(bytes: Uint8Array): number {
  const view = toView(bytes)
  if (bytes.length < tableStart || view.getUint32(4, true) !== bytes.length) throw noBatch()
  return view.getUint32(0, true)
}

export function countBuffers(columns: readonly BatchColumn[]): number {
  return columns.reduce(
    (count, { type, list }) => count + (list ? 2 : 0) + (typeOf(type).storage.kind === 'utf8' ? 3 : 2),
    0,
  )
}

export function headBytes(bufferCount: number): number {
  return alignUp(tableStart + bufferCount * 8)
}

export function alignUp(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment
}

function checkStarts(table: Uint32Array, end: number): void {
  let expected = headBytes(table.length / 2)
  for (let at = 0; at < table.length; at += 2) {
    if (table[at] !== expected) throw noBatch()
    expected = alignUp(expected + (table[at + 1] as number))
  }
  if (expected !== end) throw noBatch()
}

/** Detects batches of other columns by the lengths of their buffers: they would be read as nonsense. */
function checkLengths(columns: readonly BatchColumn[], rows: number, table: Uint32Array, bytes: Uint8Array): void {
  const view = toView(bytes)
  let at = 0
  const take = (...lengths: readonly number[]): number => {
    const [start, length] = [table[at++] as number, table[at++] as number]
    if (!lengths.includes(length)) throw noBatch()
    return start
  }
  const takeValidity = (count: number): number => take(0, bitmapBytes(count))
  const takeOffsets = (count: number): number => view.getInt32(take((count + 1) * 4) + count * 4, true)
  for (const { type, list } of columns) {
    let count = rows
    if (list) {
      takeValidity(rows)
      count = takeOffsets(rows)
    }
    takeValidity(count)
    const { storage } = typeOf(type)
    take(storage.kind === 'utf8' ? takeOffsets(count) : countValueBytes(storage, count))
  }
}

function countValueBytes({ kind }: Exclude<Storage, { kind: 'utf8' }>, count: number): number {
  return kind === 'bit' ? bitmapBytes(count) : count * storageBytes[kind]
}

/** Bytes of a value in a batch, except booleans, which take a bit. */
export const storageBytes = { int32: 4, int64: 8, float64: 8, int128: 16 } as const

export function bitmapBytes(count: number): number {
  return Math.ceil(count / 8)
}

function toView({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function noBatch(): Error {
  return parquetFailure('a piece is no record batch of the columns of the file')
}

export const tableStart = 8
const alignment = 16

/** OUTPUT_FAILED for a defect in the bytes of a Parquet file or in its batches. */
export function parquetFailure(what: string, cause?: unknown): CatalogueError {
  return new CatalogueError('OUTPUT_FAILED', `parquet: ${what}`, { cause })
}
