import type { RowGroup, RowsOfBatch } from '../../../../src/formats/parquet/row-group-cutter.ts'

/** A batch of its own, with the rows of it that count. */
export type WholeBatch = Omit<RowsOfBatch, 'length'> & { readonly bytes: Uint8Array }

/** The row groups that a cutter makes of batches, with the bytes of each in a part of their own. */
export function toRowGroup(batches: readonly WholeBatch[], rows: number): RowGroup {
  return {
    batches: batches.map(({ bytes, from, to }) => ({ length: bytes.length, from, to })),
    bytes: batches.map(({ bytes }) => bytes),
    rows,
  }
}

export function fromRowGroup({ batches, bytes }: RowGroup): WholeBatch[] {
  let end = 0
  const all = Buffer.concat(bytes)
  return batches.map(({ length, ...rows }) => ({ bytes: all.subarray(end, (end += length)), ...rows }))
}
