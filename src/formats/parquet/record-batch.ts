import { CatalogueError } from '../../errors.ts'

/*
 * A record batch is the input of the row group encoder: rows in the columnar layout of Arrow without its messages. All is little-endian, offsets are in bytes from the beginning.
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

/** Throws OUTPUT_FAILED if the bytes are not as long as the batch says. */
export function countBatchRows(bytes: Uint8Array): number {
  const view = toView(bytes)
  if (bytes.length < tableStart || view.getUint32(4, true) !== bytes.length) throw noBatch()
  return view.getUint32(0, true)
}

export function headBytes(bufferCount: number): number {
  return alignUp(tableStart + bufferCount * 8)
}

export function alignUp(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment
}

/** Bytes of a value in a batch, except booleans, which take a bit. */
export const storageBytes = { int32: 4, int64: 8, float64: 8, int128: 16 } as const

export function bitmapBytes(count: number): number {
  return Math.ceil(count / 8)
}

function toView({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

export function noBatch(): Error {
  return parquetFailure('a piece is no record batch of the columns of the file')
}

export const tableStart = 8
const alignment = 16

/** OUTPUT_FAILED for a defect in the bytes of a Parquet file or in its batches. */
export function parquetFailure(what: string, cause?: unknown): CatalogueError {
  return new CatalogueError('OUTPUT_FAILED', `parquet: ${what}`, { cause })
}
