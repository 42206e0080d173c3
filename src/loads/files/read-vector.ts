import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Cell, ColumnType, Scalar } from '../../records/flatten/column.ts'

/** A column of a chunk, or the elements of its lists. */
export type Vector = { readonly __duckdb_type: 'duckdb_vector' }

/** The part of `@duckdb/node-bindings` that reads values. What it gives lies in DuckDB's memory, while the chunk lives. */
export interface VectorBindings {
  data_chunk_get_vector(chunk: DuckDBDataChunk['chunk'], index: number): Vector
  vector_get_data(vector: Vector, bytes: number): Buffer
  vector_get_validity(vector: Vector, bytes: number): Uint8Array | null
  list_vector_get_child(vector: Vector): Vector
  list_vector_get_size(vector: Vector): number
  get_data_from_pointer(buffer: ArrayBufferLike, offset: number, bytes: number): Buffer
}

/** The values of a vector from its first to its `count`th. */
export type ReadVector<Value> = (vector: Vector, count: number) => Value[]

/** Of anything but text, which read-rows.ts reads. Timestamps have to be whole milliseconds. */
export function compileReadVector(
  bindings: VectorBindings,
  { type, list }: { readonly type: ColumnType; readonly list: boolean },
): ReadVector<Cell> {
  const readScalars = compileReadScalars(bindings, type)
  return list ? compileReadLists(bindings, readScalars) : readScalars
}

/** Numbers of 32 bits, or lists of such. */
export function compileReadNumbers(
  bindings: VectorBindings,
  list: boolean,
): ReadVector<number | (number | null)[] | null> {
  const readNumbers = compileRead(bindings, 4, compileNumber)
  return list ? compileReadLists(bindings, readNumbers) : readNumbers
}

function compileReadLists<Value>(bindings: VectorBindings, readScalars: ReadVector<Value>): ReadVector<Value[] | null> {
  return (vector, count) => {
    const elements = readScalars(bindings.list_vector_get_child(vector), bindings.list_vector_get_size(vector))
    const words = readWords(bindings, vector, count, 16)
    const isNull = readNulls(bindings, vector, count)
    // The place of the first element and their number, of 64 bits each.
    return Array.from({ length: count }, (_, index) => {
      const start = words[index * 4] as number
      return isNull(index) ? null : elements.slice(start, start + (words[index * 4 + 2] as number))
    })
  }
}

function compileReadScalars(bindings: VectorBindings, type: ColumnType): ReadVector<Scalar> {
  switch (type.kind) {
    case 'text':
    case 'json':
      throw new TypeError(`expected a column of numbers, got ${type.kind}`)
    case 'integer':
      return compileRead(bindings, 8, compileInteger)
    case 'float':
      return compileRead(bindings, 8, (data) => {
        const values = new Float64Array(data.buffer, data.byteOffset, data.length / 8)
        return (index) => values[index] as number
      })
    case 'boolean':
      return compileRead(bindings, 1, (data) => (index) => data[index] === 1)
    case 'timestamp':
      return compileRead(bindings, 8, compileMilliseconds)
    case 'date':
      return compileRead(bindings, 4, compileNumber)
    case 'decimal':
      return compileDecimal(bindings, type.precision)
  }
}

/** Of an item of text: its bytes, in DuckDB's memory. Up to twelve stand in the item. */
export function readBytes(bindings: VectorBindings, data: Buffer, index: number): Buffer {
  const length = data.readUInt32LE(index * 16)
  if (length <= 12) return data.subarray(index * 16 + 4, index * 16 + 4 + length)
  return bindings.get_data_from_pointer(data.buffer, data.byteOffset + index * 16 + 8, length)
}

/** Which values are null. */
function readNulls(bindings: VectorBindings, vector: Vector, count: number): (index: number) => boolean {
  const validity = bindings.vector_get_validity(vector, Math.ceil(count / 64) * 8)
  return validity === null ? () => false : (index) => ((validity[index >> 3] as number) & (1 << (index & 7))) === 0
}

function readWords(bindings: VectorBindings, vector: Vector, count: number, bytes: number): Uint32Array {
  const data = bindings.vector_get_data(vector, count * bytes)
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
}

function compileRead<Value extends Scalar>(
  bindings: VectorBindings,
  bytes: number,
  compile: (data: Buffer) => (index: number) => Value,
): ReadVector<Value | null> {
  return (vector, count) => {
    if (count === 0) return []
    const read = compile(bindings.vector_get_data(vector, count * bytes))
    const isNull = readNulls(bindings, vector, count)
    const values: (Value | null)[] = []
    for (let index = 0; index < count; index++) values.push(isNull(index) ? null : read(index))
    return values
  }
}

function compileNumber(data: Buffer): (index: number) => number {
  const values = new Int32Array(data.buffer, data.byteOffset, data.length / 4)
  return (index) => values[index] as number
}

/** A tenth of the cost of going through BigInt, where a number holds the value. */
function compileInteger(data: Buffer): (index: number) => number | bigint {
  const words = new Int32Array(data.buffer, data.byteOffset, data.length / 4)
  const whole = new BigInt64Array(data.buffer, data.byteOffset, data.length / 8)
  return (index) => {
    const value = (words[index * 2 + 1] as number) * 2 ** 32 + ((words[index * 2] as number) >>> 0)
    return Number.isSafeInteger(value) ? value : (whole[index] as bigint)
  }
}

/** From microseconds. Those don't fit into a number, and their halves, divided each, do: 2^32 is 4,294,967,296. */
function compileMilliseconds(data: Buffer): (index: number) => number {
  const words = new Int32Array(data.buffer, data.byteOffset, data.length / 4)
  return (index) => {
    const high = words[index * 2 + 1] as number
    const low = (words[index * 2] as number) >>> 0
    return high * 4_294_967 + (high * 296 + low) / 1000
  }
}

/** The unscaled integer, which has 16, 32, 64 or 128 bits. */
function compileDecimal(bindings: VectorBindings, precision: number): ReadVector<Scalar> {
  if (precision <= 4) return compileRead(bindings, 2, (data) => (index) => data.readInt16LE(index * 2))
  if (precision <= 9) return compileRead(bindings, 4, (data) => (index) => data.readInt32LE(index * 4))
  if (precision <= 18) return compileRead(bindings, 8, compileInteger)
  return compileRead(bindings, 16, (data) => (index) => {
    const value = (data.readBigInt64LE(index * 16 + 8) << 64n) + data.readBigUInt64LE(index * 16)
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  })
}
