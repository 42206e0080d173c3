import { hashBasis, hashFold, hashPrime } from '../../records/id-layout.ts'
import { cellBytes, nullLength, type TableMemory } from '../program/table-memory.ts'
import { type ColumnCounts, longestGroup, mostGroups } from './column-counts.ts'

/** Counts the cells of columns that rows are grouped by, which have more values than the kernel tells apart. */
export class GroupedCells {
  readonly #tables: TableMemory
  readonly #columns: readonly { readonly table: number; readonly column: number; readonly times: Uint32Array }[]
  /** Shared by all columns: they have the values of all records, and of some of them. */
  readonly #texts = new NumberedTexts()
  #isClosed = false

  constructor(tables: TableMemory, positions: readonly number[]) {
    this.#tables = tables
    this.#columns = positions.flatMap((table) => {
      const columns = tables.layouts[table]?.columns ?? []
      return columns.flatMap(({ groupsRows }, column) =>
        groupsRows === true ? [{ table, column, times: new Uint32Array(mostGroups) }] : [],
      )
    })
  }

  /** Counts the rows that the tables have at the time of the call. */
  add(): void {
    const { memory } = this.#tables
    const { bytes } = memory
    for (const { table, column, times } of this.#columns) {
      const { address, count, width } = this.#tables.rows(table)
      const first = address + column * cellBytes
      const step = width * cellBytes
      for (let cell = first; cell < first + count * step && !this.#isClosed; cell += step) {
        const length = memory.word(cell + 4)
        if (length === nullLength) continue
        const number = this.#texts.find(bytes, memory.word(cell), Math.min(length, longestGroup))
        if (number === null) this.#isClosed = true
        else times[number] = (times[number] as number) + 1
      }
    }
  }

  valuesOf(table: number, column: number): ColumnCounts['values'] {
    const counted = this.#columns.find((each) => each.table === table && each.column === column)
    if (counted === undefined || this.#isClosed) return null
    const values = new Map<string, number>()
    for (let number = 0; number < this.#texts.count; number++) {
      const times = counted.times[number] as number
      if (times > 0) values.set(this.#texts.textAt(number), times)
    }
    return values
  }
}

/** Numbers up to `mostGroups` texts in the order in which they come. Makes no string of a text that came before. */
class NumberedTexts {
  count = 0
  #bytes = Buffer.alloc(firstBytes)
  /** Where each text ends in the bytes, and the next one begins. */
  readonly #ends = new Uint32Array(mostGroups + 1)
  readonly #hashes = new Int32Array(mostGroups)
  /** The number of a text and 1, at its hash or behind. */
  readonly #slots = new Uint16Array(slotCount)

  /** The number of a text; null if it is one too many. */
  find(source: Uint8Array, start: number, length: number): number | null {
    const hash = hashBytes(source, start, length)
    let slot = hash & (slotCount - 1)
    for (;;) {
      const number = (this.#slots[slot] as number) - 1
      if (number < 0) break
      if (this.#hashes[number] === hash && this.#isAt(number, source, start, length)) return number
      slot = (slot + 1) & (slotCount - 1)
    }
    if (this.count === mostGroups) return null
    this.#hashes[this.count] = hash
    this.#append(source.subarray(start, start + length))
    this.#slots[slot] = this.count
    return this.count - 1
  }

  /** As a byte string. */
  textAt(number: number): string {
    return this.#bytes.toString('latin1', this.#ends[number], this.#ends[number + 1])
  }

  #isAt(number: number, source: Uint8Array, start: number, length: number): boolean {
    const from = this.#ends[number] as number
    if ((this.#ends[number + 1] as number) - from !== length) return false
    for (let at = 0; at < length; at++) if (this.#bytes[from + at] !== source[start + at]) return false
    return true
  }

  #append(text: Uint8Array): void {
    const from = this.#ends[this.count] as number
    const end = from + text.length
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], end * 2)
    this.#bytes.set(text, from)
    this.count++
    this.#ends[this.count] = end
  }
}

function hashBytes(source: Uint8Array, start: number, length: number): number {
  let hash = hashBasis
  for (let at = start; at < start + length; at++) hash = Math.imul(hash ^ (source[at] as number), hashPrime)
  return hash ^ (hash >>> hashFold)
}

const firstBytes = 4096
/** A power of 2, at least half of it free. */
const slotCount = 32_768
