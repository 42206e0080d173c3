import { Data, DataType, type List } from 'apache-arrow'
import { CatalogueError } from '../errors.ts'
import type { Scalar } from '../records/column.ts'

/**
 * The values of one column as Arrow data. The columns of a batch never share an ArrayBuffer: the writer of the IPC
 * stream would take neighbouring parts of one for one part.
 */
export type ToArrowData<Value> = (values: readonly Value[]) => Data

type Scalars = readonly Scalar[]

/** The conversion of scalars; `name` is the column's, for the message where a value does not fit the type. */
export function compileArrowScalars(type: DataType, name: string): ToArrowData<Scalar> {
  if (DataType.isUtf8(type)) return compileText(type)
  if (DataType.isInt(type) || DataType.isTimestamp(type)) return (values) => toInt64Data(type, name, values)
  if (DataType.isDecimal(type)) return (values) => toDecimalData(type, name, values)
  if (DataType.isBool(type)) return (values) => toBooleanData(type, values)
  return (values) => {
    const data = new type.ArrayType(values.length) as Float64Array | Int32Array
    for (const [index, value] of values.entries()) if (value !== null) data[index] = value as number
    return toData(type, values, { data })
  }
}

/** The conversion of lists of scalars. */
export function compileArrowList(type: List, name: string): ToArrowData<Scalars | null> {
  const toElements = compileArrowScalars(type.valueType as DataType, name)
  return (lists) => {
    const valueOffsets = new Int32Array(lists.length + 1)
    const elements: Scalar[] = []
    for (const [index, list] of lists.entries()) {
      if (list !== null) for (const element of list) elements.push(element)
      valueOffsets[index + 1] = elements.length
    }
    return toData(type, lists, { valueOffsets }, [toElements(elements)])
  }
}

/** Text as UTF-8. The buffer serves every batch, because the IPC stream copies from it. */
function compileText(type: DataType): ToArrowData<Scalar> {
  let buffer = Buffer.allocUnsafeSlow(1024)
  return (values) => {
    const valueOffsets = new Int32Array(values.length + 1)
    let end = 0
    for (const [index, value] of values.entries()) {
      if (value !== null) {
        const text = value as string
        if (end + text.length * maxBytesACodeUnit > buffer.length) buffer = grow(buffer, end, text.length)
        end = writeText(buffer, text, end)
      }
      valueOffsets[index + 1] = end
    }
    return toData(type, values, { valueOffsets, data: buffer.subarray(0, end) })
  }
}

function grow(buffer: Buffer, used: number, more: number): Buffer<ArrayBuffer> {
  const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more * maxBytesACodeUnit))
  buffer.copy(grown, 0, 0, used)
  return grown
}

/** Returns the end of what it wrote. Short ASCII is three to eight times as fast by hand as through `Buffer.write`. */
function writeText(buffer: Buffer, text: string, start: number): number {
  if (text.length > 24) return start + buffer.write(text, start)
  for (let index = 0; index < text.length; index++) {
    const codeUnit = text.charCodeAt(index)
    if (codeUnit > 127) return start + buffer.write(text, start)
    buffer[start + index] = codeUnit
  }
  return start + text.length
}

function toInt64Data(type: DataType, name: string, values: Scalars): Data {
  const data = new BigInt64Array(values.length)
  const words = new Int32Array(data.buffer)
  for (const [index, value] of values.entries()) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) writeInteger(words, index * 2, value)
    else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) data[index] = value
    else if (value !== null) throw unfit(name, 'a whole number of 64 bits', value)
  }
  return toData(type, values, { data })
}

/** Decimals have 128 bits, in words of 32 from the least significant on. */
function toDecimalData(type: DataType, name: string, values: Scalars): Data {
  const { precision } = type as DataType & { readonly precision: number }
  const limit = 10n ** BigInt(precision)
  const safeLimit = Math.min(Number.MAX_SAFE_INTEGER, Number(limit) - 1)
  const data = new Uint32Array(values.length * 4)
  const words = new Int32Array(data.buffer)
  const halves = new BigInt64Array(data.buffer)
  for (const [index, value] of values.entries()) {
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= safeLimit) {
      writeInteger(words, index * 4, value)
      words.fill(value < 0 ? -1 : 0, index * 4 + 2, index * 4 + 4)
    } else if (typeof value === 'bigint' && value < limit && value > -limit) {
      halves[index * 2] = value
      halves[index * 2 + 1] = value >> 64n
    } else if (value !== null) throw unfit(name, `at most ${precision} digits`, value)
  }
  return toData(type, values, { data })
}

/** A safe integer as two words of 32 bits; a tenth of the cost of going through BigInt. */
function writeInteger(words: Int32Array, at: number, value: number): void {
  words[at] = value
  words[at + 1] = Math.floor(value / 2 ** 32)
}

function toBooleanData(type: DataType, values: Scalars): Data {
  const data = toBitmap(values, (value) => value === true)
  return toData(type, values, { data })
}

/** The parts of a column as Arrow lays them out, with the validity of its values. */
function toData(
  type: DataType,
  values: readonly unknown[],
  { valueOffsets, data }: { readonly valueOffsets?: Int32Array; readonly data?: ArrayBufferView },
  children: Data[] = [],
): Data {
  let nullCount = 0
  for (const value of values) if (value === null) nullCount += 1
  const validity = nullCount === 0 ? undefined : toBitmap(values, (value) => value !== null)
  return new Data(
    type,
    0,
    values.length,
    nullCount,
    [valueOffsets, data, validity] as Partial<Data['buffers']>,
    children,
  )
}

function toBitmap<Value>(values: readonly Value[], isSet: (value: Value) => boolean): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(values.length / 8))
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
