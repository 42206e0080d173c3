import type { Column, Row } from '../../records/flatten/column.ts'
import { compileColumnBuffers } from './column-buffers.ts'
import { alignUp, headBytes, tableStart } from './record-batch.ts'

/**
 * Rows as a record batch, also where there is no row. Throws OUTPUT_FAILED at a value that does not fit the type of its
 * column.
 */
export function createRecordBatchEncoder(
  columns: readonly Column[],
): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const compiled = columns.map(compileColumnBuffers)
  return (rows) =>
    formatRecordBatch(
      rows.length,
      compiled.flatMap((toBuffers, index) => toBuffers(rows.map((row) => row[index] ?? null))),
    )
}

function formatRecordBatch(rows: number, buffers: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const places: { readonly start: number; readonly buffer: ArrayBufferView }[] = []
  let end = headBytes(buffers.length)
  for (const buffer of buffers) {
    places.push({ start: end, buffer })
    end = alignUp(end + buffer.byteLength)
  }
  const batch = new Uint8Array(end)
  new Uint32Array(batch.buffer, 0, 2).set([rows, end])
  const table = new Uint32Array(batch.buffer, tableStart, buffers.length * 2)
  for (const [index, { start, buffer }] of places.entries()) {
    table[index * 2] = start
    table[index * 2 + 1] = buffer.byteLength
    batch.set(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), start)
  }
  return batch
}
