import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { PageKernels, PageMemory } from './page-memory.ts'

/**
 * The operations on the values of a column, gathered without the nulls. A value has `width` bytes; a text is its
 * address and length.
 */
export interface ValueEncoding {
  readonly width: number
  /** Gathers values `from` to `to` of these buffers one after the other at `target`; returns the end. */
  gather(buffers: ValueBuffers, from: number, to: number, target: number): number
  measure(values: number, end: number): number
  /** Writes the values in plain encoding; returns the end. */
  write(values: number, end: number, to: number): number
  /** The bounds of at least one value; null if one has no order, such as NaN. */
  bound(values: number, end: number): Bounds | null
  /** Null if a dictionary does not pay. */
  readonly index: IndexValues | null
}

/** Addresses; a validity of 0 says that nothing is null. */
export interface ValueBuffers {
  readonly validity: number
  readonly offsets: number
  readonly values: number
}

/** Finds the distinct values; null if they take more than 32 KiB. */
export type IndexValues = (values: number, end: number, addresses: DictionaryAddresses) => Dictionary | null

export interface DictionaryAddresses {
  readonly table: number
  /** Entries of the table: a power of 2, at least twice the number of values or twice the most in a dictionary. */
  readonly entries: number
  readonly distinct: number
  /** Gets the index of each value among the distinct ones, a word each. */
  readonly indexes: number
  readonly dictionary: number
}

export interface Dictionary {
  readonly count: number
  readonly bytes: number
  readonly values: number
  readonly end: number
}

export function createValueEncoding(memory: PageMemory, type: ColumnType): ValueEncoding {
  const { kernels } = memory
  const { storage, parquet } = typeOf(type)
  switch (storage.kind) {
    case 'utf8':
      return createTextEncoding(memory)
    case 'bit':
      return createBooleanEncoding(memory)
    case 'int32':
      return createNumberEncoding(memory, 4, kernels.gather4, kernels.boundInt32)
    case 'float64': {
      const encoding = createNumberEncoding(memory, 8, kernels.gather8, kernels.boundFloat64)
      return { ...encoding, bound: (values, end) => toDoubleBounds(encoding.bound(values, end)) }
    }
    case 'int64':
      return createNumberEncoding(memory, 8, kernels.gather8, kernels.boundInt64)
    case 'int128':
      if (parquet.length !== undefined) return createBytesEncoding(memory, parquet.length)
      return parquet.physical === 'int32'
        ? createNumberEncoding(memory, 4, kernels.gather16As4, kernels.boundInt32)
        : createNumberEncoding(memory, 8, kernels.gather16As8, kernels.boundInt64)
  }
}

function createTextEncoding(memory: PageMemory): ValueEncoding {
  const { kernels } = memory
  return {
    width: 8,
    gather: ({ validity, offsets, values }, from, to, target) =>
      kernels.gatherTexts(validity, offsets, values, from, to, target),
    measure: kernels.measurePlainTexts,
    write: kernels.writePlainTexts,
    bound(texts, end) {
      const pairs = findBounds(memory, 8, (to) => kernels.boundTexts(texts, end, to))
      return toTextBounds(...readTexts(memory, pairs))
    },
    index(texts, end, { table, entries, distinct, indexes, dictionary }) {
      const count = kernels.indexTexts(texts, end, table, entries, distinct, indexes, dictionary)
      const distinctEnd = distinct + count * 8
      const bytes = kernels.measurePlainTexts(distinct, distinctEnd)
      return count === 0 ? null : { count, bytes, values: distinct, end: distinctEnd }
    },
  }
}

function createBooleanEncoding(memory: PageMemory): ValueEncoding {
  const { kernels } = memory
  return {
    width: 1,
    gather: ({ validity, values }, from, to, target) => kernels.gatherBooleans(validity, values, from, to, target),
    measure: (values, end) => Math.ceil((end - values) / 8),
    write: kernels.writePlainBooleans,
    bound: (values, end) => toExactBounds(findBounds(memory, 1, (to) => kernels.boundBooleans(values, end, to))),
    index: null,
  }
}

/** Numbers always have bounds. */
type NumberEncoding = Omit<ValueEncoding, 'bound'> & { bound(values: number, end: number): Bounds }

function createNumberEncoding(
  memory: PageMemory,
  width: 4 | 8,
  gather: PageKernels['gather8'],
  bound: PageKernels['boundInt64'],
): NumberEncoding {
  const { kernels } = memory
  const indexNumbers = width === 4 ? kernels.index4 : kernels.index8
  return {
    width,
    gather: ({ validity, values }, from, to, target) => gather(validity, values, from, to, target),
    ...writtenAsGathered(memory),
    bound: (values, end) => toExactBounds(findBounds(memory, width, (to) => bound(values, end, to))),
    index(values, end, { table, entries, indexes, dictionary }) {
      const count = indexNumbers(values, end, table, entries, indexes, dictionary)
      const bytes = count * width
      return count === 0 ? null : { count, bytes, values: dictionary, end: dictionary + bytes }
    },
  }
}

/** For decimals of more than 18 digits. */
function createBytesEncoding(memory: PageMemory, width: number): ValueEncoding {
  const { kernels } = memory
  return {
    width,
    gather: ({ validity, values }, from, to, target) =>
      kernels.gather16AsBytes(validity, values, from, to, target, width),
    ...writtenAsGathered(memory),
    bound: (values, end) =>
      toExactBounds(findBounds(memory, width, (to) => kernels.boundBytes(values, end, to, width))),
    index: null,
  }
}

function writtenAsGathered(memory: PageMemory): Pick<ValueEncoding, 'measure' | 'write'> {
  return {
    measure: (values, end) => end - values,
    write(values, end, to) {
      memory.bytes.copyWithin(to, values, end)
      return to + end - values
    },
  }
}

function readTexts(memory: PageMemory, pairs: [Uint8Array, Uint8Array]): [Uint8Array, Uint8Array] {
  const read = ({ buffer }: Uint8Array) => memory.copy(...(new Uint32Array(buffer) as unknown as [number, number]))
  return [read(pairs[0]), read(pairs[1])]
}

function findBounds(memory: PageMemory, width: number, find: (to: number) => void): [Uint8Array, Uint8Array] {
  const { end } = memory
  const to = memory.take(2 * width)
  find(to)
  memory.release(end)
  return [memory.copy(to, width), memory.copy(to + width, width)]
}

/** The least and the greatest of some values, in plain encoding without lengths, each with a buffer of its own. */
export interface Bounds {
  readonly min: Uint8Array
  readonly max: Uint8Array
  /** False if long text was cut: then all values are at or above `min`, but none may be equal to it. */
  readonly isMinExact: boolean
  readonly isMaxExact: boolean
}

export function toExactBounds([min, max]: readonly [Uint8Array, Uint8Array]): Bounds {
  return { min, max, isMinExact: true, isMaxExact: true }
}

/**
 * Zero has two signs that are equal: the least gets the negative one, the greatest the positive one, as the format
 * requires. Null if there was a NaN: DuckDB orders it above all numbers, and would skip row groups by bounds without
 * it.
 */
export function toDoubleBounds({ min, max, ...exactness }: Bounds): Bounds | null {
  const [least, greatest] = [readDouble(min), readDouble(max)]
  if (least > greatest) return null
  return { ...exactness, min: least === 0 ? toDouble(-0) : min, max: greatest === 0 ? toDouble(0) : max }
}

function readDouble({ buffer }: Uint8Array): number {
  return new DataView(buffer).getFloat64(0, true)
}

function toDouble(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  return bytes
}

/** Cuts text of more than 64 bytes between characters, and raises the last character left of the greatest. */
export function toTextBounds(least: Uint8Array, greatest: Uint8Array): Bounds {
  const min = least.length > mostTextBytes ? cutText(least) : least
  const raised = greatest.length > mostTextBytes ? raiseText(cutText(greatest)) : greatest
  const max = raised ?? greatest
  return { min, max, isMinExact: min === least, isMaxExact: max === greatest }
}

function cutText(text: Uint8Array): Uint8Array {
  let end = mostTextBytes
  while (((text[end] as number) & 0xc0) === 0x80) end -= 1
  return text.slice(0, end)
}

/** The least text of no more characters that is greater than every text with this prefix; null if there is none. */
function raiseText(text: Uint8Array): Uint8Array | null {
  const characters = Array.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text))
  while (characters.length > 0) {
    const code = (characters.pop() as string).codePointAt(0) as number
    if (code === lastCode) continue
    const next = code + 1 === firstSurrogate ? behindSurrogates : code + 1
    return new Uint8Array(Buffer.from(characters.join('') + String.fromCodePoint(next)))
  }
  return null
}

const mostTextBytes = 64
const lastCode = 0x10ffff
const firstSurrogate = 0xd800
const behindSurrogates = 0xe000
