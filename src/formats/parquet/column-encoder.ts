import type { Column } from '../../records/flatten/column.ts'
import { type Bounds, createValueEncoding, type Dictionary } from './value-encoding.ts'
import { entryBytes, mostDictionaryBytes, mostDictionaryValues } from './dictionary-layout.ts'
import { type ColumnSlice, createColumnGatherer, type GatheredColumn } from './gather-column.ts'
import type { PageMemory } from './page-memory.ts'
import { encodings, type PageWriter } from './page-writer.ts'

/** Writes the pages of one column of a row group; `rows` is the number of rows of all slices. */
export type EncodeColumn = (slices: readonly ColumnSlice[], rows: number, pages: PageWriter) => ColumnChunk

export function createColumnEncoder(memory: PageMemory, column: Pick<Column, 'type' | 'list'>): EncodeColumn {
  const { kernels } = memory
  const encoding = createValueEncoding(memory, column.type)
  const gather = createColumnGatherer(memory, column, encoding)
  const [levelBits, presentLevel] = column.list ? [2, 3] : [1, 1]

  function encode(slices: readonly ColumnSlice[], rows: number, pages: PageWriter): ColumnChunk {
    const [start, uncompressedStart] = [pages.bytes, pages.uncompressedBytes]
    const gathered = gather(slices, rows)
    const valueCount = countValues(gathered)
    const plainBytes = encoding.measure(gathered.values, gathered.end)
    const dictionary = findDictionary(gathered, valueCount, plainBytes)
    if (dictionary !== null) pages.writeDictionary(viewOf(dictionary.address, dictionary.bytes), dictionary.count)
    const distinct = dictionary ?? gathered
    const bounds = boundOf(distinct, 0, countValues(distinct))
    const room = memory.take(2 * gathered.slots + Math.max(plainBytes, valueCount * 4))
    const pageRows = choosePageRows(rows, dictionary === null ? plainBytes : 0)
    const dataPages: DataPage[] = []
    for (let part = firstPart(gathered, pageRows); ; part = nextPart(gathered, pageRows, part)) {
      const pageStart = pages.bytes
      const page = viewOf(room, writePage(gathered, dictionary, part, room) - room)
      pages.writeData(page, part.slotEnd - part.slot, dictionary === null ? encodings.plain : encodings.rleDictionary)
      dataPages.push({
        start: pageStart,
        bytes: pages.bytes - pageStart,
        firstRow: part.row,
        values: part.slotEnd - part.slot,
        nulls: part.slotEnd - part.slot - (part.valueEnd - part.value),
        bounds: pageRows >= rows ? bounds : boundOf(gathered, part.value, part.valueEnd),
      })
      if (part.slotEnd === gathered.slots) break
    }
    return {
      dictionaryStart: dictionary === null ? null : start,
      compressedBytes: pages.bytes - start,
      uncompressedBytes: pages.uncompressedBytes - uncompressedStart,
      values: gathered.slots,
      nulls: gathered.slots - valueCount,
      bounds,
      pages: dataPages,
    }
  }

  /** The dictionary of a column; null if it and the indexes into it are not smaller than the values. */
  function findDictionary({ values, end }: GatheredColumn, count: number, plainBytes: number): FoundDictionary | null {
    if (encoding.index === null || count === 0) return null
    const most = Math.min(count, mostDictionaryValues)
    const entries = toPowerOfTwo(2 * most)
    const addresses = {
      table: memory.take(entries * entryBytes),
      entries,
      distinct: memory.take(most * encoding.width),
      indexes: memory.take(count * 4),
      dictionary: memory.take(mostDictionaryBytes),
    }
    const found = encoding.index(values, end, addresses)
    if (found === null) return null
    const bits = Math.max(1, 32 - Math.clz32(found.count - 1))
    const isSmaller = found.bytes + (count * bits) / 8 < plainBytes
    return isSmaller ? { ...found, bits, address: addresses.dictionary, indexes: addresses.indexes } : null
  }

  /** Writes the levels, each after their length, then values or, after their bit width, indexes. Returns the end. */
  function writePage(gathered: GatheredColumn, dictionary: FoundDictionary | null, part: Part, at: number): number {
    const { slot, slotEnd, value, valueEnd } = part
    const slots = slotEnd - slot
    let to = at
    if (column.list) to = writeLevels(gathered.repetitions + slot, slots, 1, to)
    to = writeLevels(gathered.levels + slot, slots, levelBits, to)
    if (dictionary === null) return encoding.write(addressOf(gathered, value), addressOf(gathered, valueEnd), to)
    memory.bytes[to] = dictionary.bits
    return kernels.packWords(dictionary.indexes + value * 4, valueEnd - value, dictionary.bits, to + 1)
  }

  function writeLevels(levels: number, count: number, bits: number, at: number): number {
    const end = kernels.packBytes(levels, count, bits, at + 4)
    memory.bytes.writeUInt32LE(end - at - 4, at)
    return end
  }

  function firstPart(gathered: GatheredColumn, rows: number): Part {
    return partFrom(gathered, rows, { row: 0, slot: 0, value: 0 })
  }

  function nextPart(gathered: GatheredColumn, rows: number, { row, slotEnd, valueEnd }: Part): Part {
    return partFrom(gathered, rows, { row: row + rows, slot: slotEnd, value: valueEnd })
  }

  function partFrom(gathered: GatheredColumn, rows: number, begin: Pick<Part, 'row' | 'slot' | 'value'>): Part {
    const { levels, repetitions, slots } = gathered
    if (begin.row + rows >= gathered.rows) return { ...begin, slotEnd: slots, valueEnd: countValues(gathered) }
    const slotEnd = column.list
      ? kernels.skipRows(repetitions, begin.slot, rows, slots)
      : Math.min(begin.slot + rows, slots)
    const values = kernels.countLevel(levels + begin.slot, levels + slotEnd, presentLevel)
    return { ...begin, slotEnd, valueEnd: begin.value + values }
  }

  function boundOf(gathered: Values, value: number, valueEnd: number) {
    return value === valueEnd ? null : encoding.bound(addressOf(gathered, value), addressOf(gathered, valueEnd))
  }

  function countValues({ values, end }: Values): number {
    return (end - values) / encoding.width
  }

  function addressOf({ values }: Values, value: number): number {
    return values + value * encoding.width
  }

  function viewOf(address: number, bytes: number): Uint8Array {
    return memory.bytes.subarray(address, address + bytes)
  }

  return (slices, rows, pages) => {
    const { end } = memory
    try {
      return encode(slices, rows, pages)
    } finally {
      memory.release(end)
    }
  }
}

interface FoundDictionary extends Dictionary {
  readonly bits: number
  readonly address: number
  readonly indexes: number
}

type Values = Pick<GatheredColumn, 'values' | 'end'>

/** The rows, slots and values of one page, counted from the beginning of the column. */
interface Part {
  readonly row: number
  readonly slot: number
  readonly slotEnd: number
  readonly value: number
  readonly valueEnd: number
}

function toPowerOfTwo(least: number): number {
  return 2 ** (32 - Math.clz32(least - 1))
}

/** Divides rows equally into pages of about 1 MiB at most. */
function choosePageRows(rows: number, plainBytes: number): number {
  const pages = Math.max(1, Math.ceil(rows / mostPageRows), Math.ceil(plainBytes / mostPageBytes))
  return Math.ceil(rows / pages)
}

const mostPageRows = 20_000
const mostPageBytes = 1024 * 1024

/** One column of a row group, encoded: the offsets of its pages, and their metadata. Plain data. */
export interface ColumnChunk {
  /** Offset of the dictionary's page in the row group; null if there is none. */
  readonly dictionaryStart: number | null
  readonly compressedBytes: number
  readonly uncompressedBytes: number
  /** A null, or a list without elements, counts as one. */
  readonly values: number
  readonly nulls: number
  /** Null if there are only nulls, or a NaN. */
  readonly bounds: Bounds | null
  readonly pages: readonly DataPage[]
}

export interface DataPage {
  readonly start: number
  /** Includes the header. */
  readonly bytes: number
  /** Counted from the beginning of the row group. */
  readonly firstRow: number
  readonly values: number
  readonly nulls: number
  readonly bounds: Bounds | null
}
