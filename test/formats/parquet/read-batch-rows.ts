import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'

/** The rows of a batch, by the description of the format alone. */
export function readBatchRows(columns: readonly Column[], bytes: Uint8Array): Row[] {
  const rows = toBuffer(bytes).readUInt32LE()
  const buffers = listBuffers(columns, bytes)
  const cells = columns.map(({ type, list }) =>
    list ? takeLists(type, rows, buffers) : takeScalars(type, rows, buffers),
  )
  return Array.from({ length: rows }, (_, row) => cells.map((column) => column[row] as Cell))
}

/** Views of the buffers, in their order. */
export function listBuffers(columns: readonly Column[], bytes: Uint8Array): Buffer[] {
  const batch = toBuffer(bytes)
  const count = columns.reduce((sum, { type, list }) => sum + (list ? 2 : 0) + (isText(type) ? 3 : 2), 0)
  return Array.from({ length: count }, (_, index) => {
    const start = batch.readUInt32LE(8 + index * 8)
    return batch.subarray(start, start + batch.readUInt32LE(12 + index * 8))
  })
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function takeLists(type: ColumnType, count: number, buffers: Buffer[]): Cell[] {
  const isPresent = takeValidity(buffers)
  const offsets = takeOffsets(count, buffers)
  const elements = takeScalars(type, offsets.at(-1) as number, buffers)
  return Array.from({ length: count }, (_, index) =>
    isPresent(index) ? elements.slice(offsets[index], offsets[index + 1]) : null,
  )
}

function takeScalars(type: ColumnType, count: number, buffers: Buffer[]): Scalar[] {
  const isPresent = takeValidity(buffers)
  const offsets = isText(type) ? takeOffsets(count, buffers) : []
  const values = buffers.shift() as Buffer
  return Array.from({ length: count }, (_, index) => {
    if (!isPresent(index)) return null
    return isText(type) ? values.toString('utf8', offsets[index], offsets[index + 1]) : readScalar(type, values, index)
  })
}

function isText({ kind }: ColumnType): boolean {
  return kind === 'text' || kind === 'json'
}

function takeValidity(buffers: Buffer[]): (index: number) => boolean {
  const bitmap = buffers.shift() as Buffer
  return (index) => bitmap.length === 0 || readBit(bitmap, index)
}

function takeOffsets(count: number, buffers: Buffer[]): number[] {
  const offsets = buffers.shift() as Buffer
  return Array.from({ length: count + 1 }, (_, index) => offsets.readInt32LE(index * 4))
}

function readScalar({ kind }: ColumnType, values: Buffer, index: number): Scalar {
  switch (kind) {
    case 'boolean':
      return readBit(values, index)
    case 'float':
      return values.readDoubleLE(index * 8)
    case 'date':
      return values.readInt32LE(index * 4)
    case 'decimal':
      return toSmallest((values.readBigInt64LE(index * 16 + 8) << 64n) | values.readBigUInt64LE(index * 16))
    default:
      return toSmallest(values.readBigInt64LE(index * 8))
  }
}

function readBit(bitmap: Buffer, index: number): boolean {
  return (((bitmap[index >> 3] as number) >> (index & 7)) & 1) === 1
}

function toSmallest(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
