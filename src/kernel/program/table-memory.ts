import type { Column } from '../../records/flatten/column.ts'
import { OutOfRoom, type ScanMemory } from './scan-memory.ts'

export const cellBytes = 8
/** The length of a null cell, whose address is 0. */
export const nullLength = 0xff_ff_ff_ff

export function setCell(memory: ScanMemory, cell: number, address: number, length: number): void {
  memory.setWord(cell, address)
  memory.setWord(cell + 4, length)
}

export interface TableLayout {
  readonly columns: readonly ColumnLayout[]
  /** Cells a row. The cells behind the columns are hidden: conditions read them. */
  readonly width: number
}

export interface ColumnLayout extends Column {
  /** The list region of a list column's elements; null for other columns. */
  readonly listNumber: number | null
  /** True if the cells have Unix seconds, as delivered, in place of milliseconds. */
  readonly seconds: boolean
}

/** The headers of tables and lists: addresses, or offsets of a program that is in no memory yet. */
export class TableHeaders<At extends number> {
  readonly headers: At
  readonly layouts: readonly TableLayout[]
  readonly headerCount: number

  /** Lists are numbered over all tables, those of columns before the `hiddenLists`. */
  constructor(headers: At, layouts: readonly TableLayout[], hiddenLists = 0) {
    this.headers = headers
    this.layouts = layouts
    this.headerCount = countHeaders(layouts, hiddenLists)
  }

  tableHeader(table: number): At {
    return this.#headerAt(1 + table)
  }

  listHeader(list: number): At {
    return this.#headerAt(1 + this.layouts.length + list)
  }

  #headerAt(number: number): At {
    return (this.headers + headerBytes * number) as At
  }
}

export function countHeaders(layouts: readonly TableLayout[], hiddenLists: number): number {
  const listColumns = layouts.flatMap(({ columns }) => columns.filter(({ listNumber }) => listNumber !== null))
  return 1 + layouts.length + listColumns.length + hiddenLists
}

/**
 * The rows of a block's tables, as cells. A cell is two words, the address and the length of the value's canonical text,
 * which may be anywhere in the memory:
 *
 * - null: address 0, length `nullLength`; empty text: length 0 at any other address;
 * - text, json: UTF-8; boolean: `true` or `false`; integer, float: exactly `String(value)`;
 * - timestamp: digits of milliseconds since 1970, or of seconds in a column with `seconds`; date: of days since 1970;
 *   decimal: of the unscaled integer;
 * - a list: the address of its first element's cell and the number of elements, which are cells one after the other.
 *
 * The headers have four words, which the module reads and writes:
 * the arena {next, end, begin, -}, then every table {rows address, rows, capacity in rows, width in cells}, then every list
 * {cells address, cells, capacity in cells, -}.
 */
export class TableMemory extends TableHeaders<number> {
  readonly memory: ScanMemory

  constructor(memory: ScanMemory, headers: number, layouts: readonly TableLayout[], hiddenLists = 0) {
    super(headers, layouts, hiddenLists)
    this.memory = memory
  }

  rows(table: number): { readonly address: number; readonly count: number; readonly width: number } {
    const { memory } = this
    const at = this.tableHeader(table)
    return { address: memory.word(at), count: memory.word(at + 4), width: memory.word(at + 12) }
  }

  regionOf(header: number): string {
    const tables = this.layouts.length
    return header === 0 ? 'arena' : header <= tables ? rowsRegion(header - 1) : listRegion(header - 1 - tables)
  }

  /** Empties all tables. Regions keep at least their size, and have what a block of this size usually takes. */
  clear(blockBytes = 0): void {
    // A longer block is one long line.
    const usual = Math.min(blockBytes, mostUsualBytes)
    const lists = this.headerCount - 1 - this.layouts.length
    const share = mostFirstBytes / (this.layouts.length + lists)
    const { memory } = this
    const arenaBytes = Math.max(memory.capacity('arena'), leastBytes + usual / 2)
    const arena = memory.reserve('arena', arenaBytes)
    this.#writeHeader(this.headers, [arena, arena + arenaBytes, arena, 0])
    for (const [table, { width }] of this.layouts.entries()) {
      const region = rowsRegion(table)
      const address = memory.reserve(
        region,
        Math.max(memory.capacity(region), Math.min(leastBytes + usual / 2, share), width * cellBytes),
      )
      const capacity = Math.floor(memory.capacity(region) / (Math.max(width, 1) * cellBytes))
      this.#writeHeader(this.tableHeader(table), [address, 0, capacity, width])
    }
    for (let list = 0; list < lists; list++) {
      const region = listRegion(list)
      const address = memory.reserve(region, Math.max(memory.capacity(region), Math.min(leastBytes + usual / 4, share)))
      this.#writeHeader(this.listHeader(list), [address, 0, Math.floor(memory.capacity(region) / cellBytes), 0])
    }
  }

  /** Adds a row whose cells the caller fills; gives its address. Throws OutOfRoom. */
  addRow(table: number): number {
    const { memory } = this
    const { address, count: rows, width } = this.rows(table)
    const at = this.tableHeader(table)
    if (rows >= memory.word(at + 8)) throw new OutOfRoom(rowsRegion(table))
    memory.setWord(at + 4, rows + 1)
    return address + rows * width * cellBytes
  }

  addCells(list: number, count: number): number {
    const { memory } = this
    const at = this.listHeader(list)
    const cells = memory.word(at + 4)
    if (cells + count > memory.word(at + 8)) throw new OutOfRoom(listRegion(list))
    memory.setWord(at + 4, cells + count)
    return memory.word(at) + cells * cellBytes
  }

  addBytes(bytes: number): number {
    const { memory, headers } = this
    const next = memory.word(headers)
    if (next + bytes > memory.word(headers + 4)) throw new OutOfRoom('arena')
    memory.setWord(headers, next + bytes)
    return next
  }

  #writeHeader(address: number, header: readonly number[]): void {
    this.memory.wordsIn(address, address + headerBytes).set(header)
  }
}

export function rowsRegion(table: number): string {
  return `rows ${table}`
}

export function listRegion(list: number): string {
  return `list ${list}`
}

export const headerBytes = 16
const leastBytes = 65_536
const mostUsualBytes = 2 * 1024 * 1024
/** The limit for all regions together: every thread has some, and hundreds of columns may be lists. */
const mostFirstBytes = 24 * 1024 * 1024
