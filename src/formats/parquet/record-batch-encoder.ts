import { typeOf } from '../../types/column-types.ts'
import { CatalogueError } from '../../errors.ts'
import type { Cell, Column, Row } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import { alignUp, bitmapBytes, headBytes, tableStart } from './record-batch.ts'

/**
 * Encodes rows as a record batch, also an empty one. Throws OUTPUT_FAILED at a value that does not fit the type of its
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

export function formatRecordBatch(rows: number, buffers: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const starts: { readonly start: number; readonly buffer: ArrayBufferView }[] = []
  let end = headBytes(buffers.length)
  for (const buffer of buffers) {
    starts.push({ start: end, buffer })
    end = alignUp(end + buffer.byteLength)
  }
  const batch = new Uint8Array(end)
  new Uint32Array(batch.buffer, 0, 2).set([rows, end])
  const table = new Uint32Array(batch.buffer, tableStart, buffers.length * 2)
  for (const [index, { start, buffer }] of starts.entries()) {
    table[index * 2] = start
    table[index * 2 + 1] = buffer.byteLength
    batch.set(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), start)
  }
  return batch
}

/** Makes the buffers of one column of a record batch; they may be views of memory that the next call overwrites. */
type ToBuffers<Value> = (values: readonly Value[]) => readonly ArrayBufferView[]

type Scalars = readonly Scalar[]

function compileColumnBuffers(column: Column): ToBuffers<Cell> {
  const toBuffers = column.list ? compileLists(column) : compileScalars(column)
  return toBuffers as ToBuffers<Cell>
}

function compileLists(column: Column): ToBuffers<Scalars | null> {
  const toElements = compileScalars(column)
  return (lists) => {
    const offsets = new Int32Array(lists.length + 1)
    const elements: Scalar[] = []
    for (const [index, list] of lists.entries()) {
      if (list !== null) for (const element of list) elements.push(element)
      offsets[index + 1] = elements.length
    }
    return [toValidity(lists), offsets, ...toElements(elements)]
  }
}

function compileScalars({ type, name }: Column): ToBuffers<Scalar> {
  const { storage } = typeOf(type)
  switch (storage.kind) {
    case 'utf8':
      return compileText()
    case 'int64':
      return (values) => [toValidity(values), toInt64(name, values)]
    case 'int128':
      return (values) => [toValidity(values), toInt128(name, storage.precision, values)]
    case 'float64':
      return (values) => [toValidity(values), fillNumbers(new Float64Array(values.length), values)]
    case 'int32':
      return (values) => [toValidity(values), fillNumbers(new Int32Array(values.length), values)]
    case 'bit':
      return (values) => [toValidity(values), toBitmap(values, (value) => value === true)]
  }
}

function compileText(): ToBuffers<Scalar> {
  let buffer = Buffer.allocUnsafeSlow(1024)
  return (values) => {
    const offsets = new Int32Array(values.length + 1)
    let end = 0
    for (const [index, value] of values.entries()) {
      if (value !== null) {
        const text = value as string
        if (end + text.length * maxBytesACodeUnit > buffer.length) buffer = grow(buffer, end, text.length)
        end = writeText(buffer, text, end)
      }
      offsets[index + 1] = end
    }
    return [toValidity(values), offsets, buffer.subarray(0, end)]
  }
}

function grow(buffer: Buffer, used: number, more: number): Buffer<ArrayBuffer> {
  const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more * maxBytesACodeUnit))
  buffer.copy(grown, 0, 0, used)
  return grown
}

/** Returns the end of the text. Short ASCII is three to eight times as fast by hand as through `Buffer.write`. */
function writeText(buffer: Buffer, text: string, start: number): number {
  if (text.length > 24) return start + buffer.write(text, start)
  for (let index = 0; index < text.length; index++) {
    const codeUnit = text.charCodeAt(index)
    if (codeUnit > 127) return start + buffer.write(text, start)
    buffer[start + index] = codeUnit
  }
  return start + text.length
}

function toInt64(name: string, values: Scalars): BigInt64Array {
  const data = new BigInt64Array(values.length)
  const words = new Int32Array(data.buffer)
  for (const [index, value] of values.entries()) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) writeInteger(words, index * 2, value)
    else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) data[index] = value
    else if (value !== null) throw unfit(name, 'a whole number of 64 bits', value)
  }
  return data
}

function toInt128(name: string, precision: number, values: Scalars): BigInt64Array {
  const limit = 10n ** BigInt(precision)
  const safeLimit = Math.min(Number.MAX_SAFE_INTEGER, Number(limit) - 1)
  const halves = new BigInt64Array(values.length * 2)
  const words = new Int32Array(halves.buffer)
  for (const [index, value] of values.entries()) {
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= safeLimit) {
      writeInteger(words, index * 4, value)
      words.fill(value < 0 ? -1 : 0, index * 4 + 2, index * 4 + 4)
    } else if (typeof value === 'bigint' && value < limit && value > -limit) {
      halves[index * 2] = value
      halves[index * 2 + 1] = value >> 64n
    } else if (value !== null) throw unfit(name, `at most ${precision} digits`, value)
  }
  return halves
}

/** Writes a safe integer as two words of 32 bits; a tenth of the cost of going through BigInt. */
function writeInteger(words: Int32Array, at: number, value: number): void {
  words[at] = value
  words[at + 1] = Math.floor(value / 2 ** 32)
}

function fillNumbers(data: Float64Array | Int32Array, values: Scalars): ArrayBufferView {
  for (const [index, value] of values.entries()) if (value !== null) data[index] = value as number
  return data
}

function toValidity(values: readonly unknown[]): Uint8Array {
  return values.includes(null) ? toBitmap(values, (value) => value !== null) : new Uint8Array(0)
}

function toBitmap<Value>(values: readonly Value[], isSet: (value: Value) => boolean): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(values.length))
  for (const [index, value] of values.entries()) {
    if (isSet(value)) bitmap[index >> 3] = (bitmap[index >> 3] as number) | (1 << (index & 7))
  }
  return bitmap
}

function unfit(name: string, expected: string, value: Scalar): CatalogueError {
  return new CatalogueError(
    'OUTPUT_FAILED',
    `column "${name}": a value does not fit, expected ${expected}, got ${value}`,
  )
}

/** UTF-8 needs at most three bytes for one code unit of a string. */
const maxBytesACodeUnit = 3
