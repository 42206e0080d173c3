import type { Bounds } from '../formats/parquet/column-chunk.ts'
import type { EncodedRowGroup } from '../formats/parquet/row-group-encoder.ts'
import type { Column } from '../records/flatten/column.ts'
import { typeOf } from '../types/column-types.ts'

/** Statistics of a data file, from the bounds of its row groups. */
export class FileStatistics {
  readonly columns: readonly Column[]
  /** By column; null for lists, which have none. */
  readonly bounds: readonly (ColumnBounds | null)[]
  rows = 0

  constructor(columns: readonly Column[]) {
    this.columns = columns
    this.bounds = columns.map((column) => (column.list ? null : { nulls: 0, min: null, max: null, isKnown: true }))
  }

  add({ rows, columns: chunks }: Pick<EncodedRowGroup, 'rows' | 'columns'>): void {
    this.rows += rows
    for (const [at, { nulls, values, bounds }] of chunks.entries()) {
      const column = this.columns[at] as Column
      const of = this.bounds[at] ?? null
      if (of === null) continue
      of.nulls += nulls
      // A NaN has no place in an order.
      if (bounds === null && nulls < values) of.isKnown = false
      if (bounds === null) continue
      const [min, max] = readBounds(column, bounds)
      if (of.min === null || precedes(min, of.min)) of.min = min
      if (of.max === null || precedes(of.max, max)) of.max = max
    }
  }
}

export interface ColumnBounds {
  nulls: number
  min: Bound | null
  max: Bound | null
  /** False if a value has no place in an order. */
  isKnown: boolean
}

export type Bound = bigint | number | Buffer

function readBounds({ type }: Column, { min, max }: Bounds): [Bound, Bound] {
  const { physical } = typeOf(type).parquet
  const read = (bytes: Uint8Array): Bound => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    switch (physical) {
      case 'boolean':
        return buffer.readUInt8()
      case 'int32':
        return BigInt(buffer.readInt32LE())
      case 'int64':
        return buffer.readBigInt64LE()
      case 'double':
        return buffer.readDoubleLE()
      case 'byteArray':
        return buffer
      case 'fixedLenByteArray':
        return BigInt.asIntN(buffer.length * 8, BigInt(`0x${buffer.toString('hex')}`))
    }
  }
  return [read(min), read(max)]
}

function precedes(one: Bound, other: Bound): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) < 0
  return one < other
}
