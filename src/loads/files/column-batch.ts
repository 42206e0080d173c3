import { createRowEncoder, type FileFormat } from '../../formats/file-format.ts'
import { bitmapBytes, storageBytes } from '../../formats/parquet/record-batch.ts'
import { formatRecordBatch } from '../../formats/parquet/record-batch-encoder.ts'
import type { Cell, Column, Row } from '../../records/flatten/column.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { SliceOf } from './merge-batches.ts'

/** Values of a column, or the elements of its lists. */
export interface ScalarValues {
  /** Not 0 for each null value, whose bytes are zero; null if there is no null. */
  readonly nulls: Uint8Array | null
  /** Laid out as in a record batch, but with a byte for each boolean. */
  readonly bytes: Uint8Array
  /** Offsets of texts: value `i` takes the bytes from offset `i` to offset `i + 1`. Empty for other types. */
  readonly offsets: Int32Array
}

export interface ListValues {
  readonly nulls: Uint8Array | null
  /** The position of the first element and the number of elements, for each list in turn. */
  readonly ranges: Uint32Array
  readonly elements: ScalarValues
}

/** Rows of a query by column. The batch owns its memory. */
export class ColumnBatch {
  readonly columns: readonly Column[]
  readonly length: number
  readonly values: readonly (ScalarValues | ListValues)[]
  #rows: readonly Row[] | null = null

  constructor(columns: readonly Column[], length: number, values: readonly (ScalarValues | ListValues)[]) {
    this.columns = columns
    this.length = length
    this.values = values
  }

  /** The batch as rows, made once, for formats that are written from rows. */
  get rows(): readonly Row[] {
    return (this.#rows ??= this.#toRows())
  }

  readText(column: number, row: number): string {
    const { bytes, offsets } = this.values[column] as ScalarValues
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', offsets[row], offsets[row + 1])
  }

  #toRows(): Row[] {
    const cells = this.columns.map((column, index) =>
      toCells(column, this.values[index] as ScalarValues | ListValues, this.length),
    )
    return Array.from({ length: this.length }, (_, row) => cells.map((ofColumn) => ofColumn[row] as Cell))
  }
}

/** Makes pieces of a file from slices of batches: for Parquet without a row in between. */
export function createSliceEncoder(
  format: FileFormat,
  columns: readonly Column[],
): (slices: readonly SliceOf<ColumnBatch>[]) => Uint8Array<ArrayBuffer> {
  if (format.format === 'parquet') return (slices) => toRecordBatch(columns, slices)
  const encode = createRowEncoder(format, columns)
  return (slices) => encode(slices.flatMap(({ batch, from, to }) => batch.rows.slice(from, to)))
}

/** See record-batch.ts for the buffers. */
function toRecordBatch(columns: readonly Column[], slices: readonly SliceOf<ColumnBatch>[]): Uint8Array<ArrayBuffer> {
  const buffers = columns.flatMap(({ type, list }, index) => {
    const ranges = slices.map(({ batch, from, to }) => ({ values: batch.values[index], from, to }))
    return list
      ? toListBuffers(type, ranges as readonly Range<ListValues>[])
      : toScalarBuffers(type, ranges as readonly Range<ScalarValues>[])
  })
  return formatRecordBatch(countValues(slices), buffers)
}

interface Range<Values> {
  readonly values: Values
  readonly from: number
  readonly to: number
}

function countValues(ranges: readonly { readonly from: number; readonly to: number }[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0)
}

function toListBuffers(type: ColumnType, lists: readonly Range<ListValues>[]): ArrayBufferView[] {
  const offsets = new Int32Array(countValues(lists) + 1)
  const elements: { values: ScalarValues; from: number; to: number }[] = []
  let [at, end] = [0, 0]
  for (const { values, from, to } of lists) {
    for (let row = from; row < to; row++) {
      const start = values.ranges[row * 2] as number
      const length = values.nulls?.[row] ? 0 : (values.ranges[row * 2 + 1] as number)
      end += length
      offsets[++at] = end
      if (length === 0) continue
      const last = elements.at(-1)
      if (last?.values === values.elements && last.to === start) last.to += length
      else elements.push({ values: values.elements, from: start, to: start + length })
    }
  }
  return [toValidity(lists), offsets, ...toScalarBuffers(type, elements)]
}

function toScalarBuffers(type: ColumnType, ranges: readonly Range<ScalarValues>[]): ArrayBufferView[] {
  const { kind } = typeOf(type).storage
  if (kind === 'utf8') return [toValidity(ranges), ...toTextBuffers(ranges)]
  const width = batchBytes[kind]
  const bytes = new Uint8Array(countValues(ranges) * width)
  let end = 0
  for (const { values, from, to } of ranges) {
    bytes.set(values.bytes.subarray(from * width, to * width), end)
    end += (to - from) * width
  }
  return [toValidity(ranges), kind === 'bit' ? toBitmap(bytes, 1) : bytes]
}

function toTextBuffers(ranges: readonly Range<ScalarValues>[]): [Int32Array, Uint8Array] {
  const length = ranges.reduce(
    (sum, { values: { offsets }, from, to }) => sum + (offsets[to] as number) - (offsets[from] as number),
    0,
  )
  const offsets = new Int32Array(countValues(ranges) + 1)
  const bytes = new Uint8Array(length)
  let [at, end] = [0, 0]
  for (const { values, from, to } of ranges) {
    const start = values.offsets[from] as number
    bytes.set(values.bytes.subarray(start, values.offsets[to]), end)
    for (let index = from + 1; index <= to; index++) offsets[++at] = (values.offsets[index] as number) - start + end
    end += (values.offsets[to] as number) - start
  }
  return [offsets, bytes]
}

function toValidity(ranges: readonly Range<ScalarValues | ListValues>[]): Uint8Array {
  const nulls = new Uint8Array(ranges.some(({ values }) => values.nulls !== null) ? countValues(ranges) : 0)
  let end = 0
  for (const { values, from, to } of ranges) {
    if (values.nulls !== null) nulls.set(values.nulls.subarray(from, to), end)
    end += to - from
  }
  return nulls.some((isNull) => isNull !== 0) ? toBitmap(nulls, 0) : new Uint8Array(0)
}

function toBitmap(flags: Uint8Array, set: 0 | 1): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(flags.length))
  for (let index = 0; index < flags.length; index++) {
    if (flags[index] === set) bitmap[index >> 3] = (bitmap[index >> 3] as number) | (1 << (index & 7))
  }
  return bitmap
}

/** Bytes of a value in a batch of columns, except text. */
export const batchBytes = { ...storageBytes, bit: 1 } as const

function toCells({ type, list }: Column, values: ScalarValues | ListValues, length: number): readonly Cell[] {
  if (!list) return toScalars(type, values as ScalarValues, length)
  const { nulls, ranges, elements } = values as ListValues
  const { kind } = typeOf(type).storage
  const count = kind === 'utf8' ? elements.offsets.length - 1 : elements.bytes.length / batchBytes[kind]
  const scalars = toScalars(type, elements, count)
  return Array.from({ length }, (_, row) => {
    const start = ranges[row * 2] as number
    return nulls?.[row] ? null : scalars.slice(start, start + (ranges[row * 2 + 1] as number))
  })
}

function toScalars(type: ColumnType, values: ScalarValues, length: number): readonly Scalar[] {
  const read = compileReadScalar(type, values)
  return Array.from({ length }, (_, index) => (values.nulls?.[index] ? null : read(index)))
}

function compileReadScalar(type: ColumnType, { bytes, offsets }: ScalarValues): (index: number) => Scalar {
  const { buffer, byteOffset, length } = bytes
  switch (typeOf(type).storage.kind) {
    case 'utf8':
      return compileReadText(Buffer.from(buffer, byteOffset, length), offsets)
    case 'int64':
      return compileReadInteger(bytes, 1)
    case 'int128':
      return compileReadInteger(bytes, 2)
    case 'float64': {
      const numbers = new Float64Array(buffer, byteOffset, length / 8)
      return (index) => numbers[index] as number
    }
    case 'int32': {
      const numbers = new Int32Array(buffer, byteOffset, length / 4)
      return (index) => numbers[index] as number
    }
    case 'bit':
      return (index) => bytes[index] === 1
  }
}

/** Decodes all texts as one: a call for each takes several times as long. */
function compileReadText(bytes: Buffer, offsets: Int32Array): (index: number) => string {
  const latin1 = bytes.toString('latin1')
  const isAscii = !beyondAscii.test(latin1)
  return (index) => {
    const [start, end] = [offsets[index] as number, offsets[index + 1] as number]
    const text = latin1.slice(start, end)
    return isAscii || !beyondAscii.test(text) ? text : bytes.toString('utf8', start, end)
  }
}

const beyondAscii = /[\u0080-\u00ff]/

/** Reads integers of one or two 64-bit words; as a number if it is exact, which costs a tenth of a BigInt. */
function compileReadInteger(
  { buffer, byteOffset, length }: Uint8Array,
  size: 1 | 2,
): (index: number) => number | bigint {
  const words = new Int32Array(buffer, byteOffset, length / 4)
  const wide = new BigInt64Array(buffer, byteOffset, length / 8)
  return (index) => {
    const at = index * size
    const high = words[at * 2 + 1] as number
    const value = high * 2 ** 32 + ((words[at * 2] as number) >>> 0)
    const isWhole = size === 1 || wide[at + 1] === (high < 0 ? -1n : 0n)
    if (isWhole && Number.isSafeInteger(value)) return value
    return size === 1
      ? (wide[at] as bigint)
      : ((wide[at + 1] as bigint) << 64n) + BigInt.asUintN(64, wide[at] as bigint)
  }
}
