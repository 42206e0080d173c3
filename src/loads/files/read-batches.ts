import type { Column } from '../../records/flatten/column.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import { batchBytes, ColumnBatch, type ListValues, type ScalarValues } from './column-batch.ts'
import type { Duckdb, Vector, VectorBindings } from './open-duckdb.ts'

/** Reads a query whose columns are named `c0`, `c1`, … in batches. Timestamps have to be whole milliseconds. */
export async function* readBatches(
  duckdb: Duckdb,
  query: string,
  columns: readonly Column[],
): AsyncGenerator<ColumnBatch> {
  const { bindings } = duckdb
  const selected = columns.map(({ type, list }, index) => {
    const { toStored } = typeOf(type).sql
    if (toStored === undefined) return `c${index}`
    return list ? `list_transform(c${index}, lambda element: ${toStored('element')})` : toStored(`c${index}`)
  })
  for await (const { chunk, rowCount } of duckdb.readChunks(`SELECT ${selected.join(', ')} FROM (${query})`)) {
    const values = columns.map(({ type, list }, index) => {
      const vector = bindings.data_chunk_get_vector(chunk, index)
      return list ? readLists(bindings, vector, type, rowCount) : readScalars(bindings, vector, type, rowCount)
    })
    yield new ColumnBatch(columns, rowCount, values)
  }
}

function readLists(bindings: VectorBindings, vector: Vector, type: ColumnType, count: number): ListValues {
  const child = bindings.list_vector_get_child(vector)
  const elements = readScalars(bindings, child, type, bindings.list_vector_get_size(vector))
  // The position of the first element and the number of elements, of 64 bits each.
  const words = readWords(bindings, vector, count * 16)
  return { nulls: readNulls(bindings, vector, count), ranges: words.filter((_, index) => index % 2 === 0), elements }
}

function readScalars(bindings: VectorBindings, vector: Vector, type: ColumnType, count: number): ScalarValues {
  const nulls = readNulls(bindings, vector, count)
  const { storage } = typeOf(type)
  if (storage.kind === 'utf8') return { nulls, ...readTexts(bindings, vector, nulls, count) }
  const width = batchBytes[storage.kind]
  const bytes = new Uint8Array(count * width)
  if (storage.kind === 'int128') widenDecimals(bindings, vector, storage.precision, new Int32Array(bytes.buffer))
  else if (count > 0) bytes.set(bindings.vector_get_data(vector, bytes.length))
  if (nulls !== null) {
    for (let index = 0; index < count; index++)
      if (nulls[index] !== 0) bytes.fill(0, index * width, (index + 1) * width)
  }
  return { nulls, bytes, offsets: noOffsets }
}

const noOffsets = new Int32Array(0)

function readNulls(bindings: VectorBindings, vector: Vector, count: number): Uint8Array | null {
  const validity = count === 0 ? null : bindings.vector_get_validity(vector, Math.ceil(count / 64) * 8)
  if (validity === null) return null
  const nulls = new Uint8Array(count)
  for (let index = 0; index < count; index++) nulls[index] = (((validity[index >> 3] as number) >> (index & 7)) & 1) ^ 1
  return nulls
}

/** Copies the bytes, as the words of a chunk are gone with it. */
function readWords(bindings: VectorBindings, vector: Vector, bytes: number): Uint32Array {
  const words = new Uint32Array(bytes / 4)
  if (bytes > 0) new Uint8Array(words.buffer).set(bindings.vector_get_data(vector, bytes))
  return words
}

function widenDecimals(bindings: VectorBindings, vector: Vector, precision: number, words: Int32Array): void {
  const count = words.length / 4
  if (count === 0) return
  const size = precision <= 4 ? 2 : precision <= 9 ? 4 : precision <= 18 ? 8 : 16
  const data = bindings.vector_get_data(vector, count * size)
  for (let index = 0; index < count; index++) {
    const low = size === 2 ? data.readInt16LE(index * 2) : data.readInt32LE(index * size)
    for (let word = 0; word < 4; word++) {
      const isStored = word * 4 < size
      words[index * 4 + word] =
        word === 0
          ? low
          : isStored
            ? data.readInt32LE(index * size + word * 4)
            : (words[index * 4 + word - 1] as number) >> 31
    }
  }
}

/**
 * Reads texts from items of 16 bytes: an item holds the length, and up to twelve bytes of text or else a pointer. Most
 * long texts are adjacent, and are read together: a call of the bindings takes longer than copying many.
 */
function readTexts(
  bindings: VectorBindings,
  vector: Vector,
  nulls: Uint8Array | null,
  count: number,
): Pick<ScalarValues, 'bytes' | 'offsets'> {
  const offsets = new Int32Array(count + 1)
  if (count === 0) return { bytes: new Uint8Array(0), offsets }
  const items = bindings.vector_get_data(vector, count * 16)
  const words = new Uint32Array(items.buffer, items.byteOffset, count * 4)
  const runs = findRuns(words, nulls, offsets)
  const bytes = new Uint8Array(offsets[count] as number)
  let run = -1
  let heap: Uint8Array = bytes
  let read = 0
  for (let index = 0; index < count; index++) {
    const start = offsets[index] as number
    const length = (offsets[index + 1] as number) - start
    if (length <= longestInItem) {
      for (let at = 0; at < length; at++) bytes[start + at] = items[index * 16 + 4 + at] as number
      continue
    }
    if (runs[run + 1]?.first === index) {
      heap = bindings.get_data_from_pointer(
        items.buffer,
        items.byteOffset + index * 16 + 8,
        (runs[++run] as Run).length,
      )
      read = 0
    }
    if (length > longestByHand) bytes.set(heap.subarray(read, read + length), start)
    else for (let at = 0; at < length; at++) bytes[start + at] = heap[read + at] as number
    read += length
  }
  return { bytes, offsets }
}

/** Adjacent texts outside of their items. */
interface Run {
  readonly first: number
  length: number
}

function findRuns(words: Uint32Array, nulls: Uint8Array | null, offsets: Int32Array): Run[] {
  const runs: Run[] = []
  let end = -1
  for (let index = 0; index < offsets.length - 1; index++) {
    const length = nulls?.[index] ? 0 : (words[index * 4] as number)
    offsets[index + 1] = (offsets[index] as number) + length
    if (length <= longestInItem) continue
    // Addresses have less than 53 bits.
    const start = (words[index * 4 + 3] as number) * 2 ** 32 + (words[index * 4 + 2] as number)
    const last = runs.at(-1)
    if (start === end && last !== undefined) last.length += length
    else runs.push({ first: index, length })
    end = start + length
  }
  return runs
}

const longestInItem = 12
/** Beyond this many bytes, a call copies faster than a loop. */
const longestByHand = 48
