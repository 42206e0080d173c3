import { typeOf } from '../../types/column-types.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { Cell, Row } from '../../records/flatten/column.ts'
import type { FilledScalar, Scalar } from '../../types/column-type-definition.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { cellBytes, type ColumnLayout, nullLength, setCell, type TableMemory } from '../program/table-memory.ts'

/**
 * Appends rows of the reference path to a table: texts to the arena, elements of lists to their region. Hidden cells
 * behind the columns, which conditions read, become null. Throws OutOfRoom.
 */
export function writeRows(tables: TableMemory, table: number, rows: readonly Row[]): void {
  const columns = columnsOf(tables, table)
  for (const row of rows) {
    const address = tables.addRow(table)
    const { width } = tables.rows(table)
    for (let index = 0; index < width; index++) {
      const column = columns[index]
      writeCell(tables, address + index * cellBytes, column, column === undefined ? null : (row[index] ?? null))
    }
  }
}

/** The rows of a table as flattening gives them, but without the sign of a zero that is no float. */
export function readRows(tables: TableMemory, table: number): Row[] {
  return compileRowReader(tables, table)()
}

export function compileRowReader(tables: TableMemory, table: number): () => Row[] {
  const readers = columnsOf(tables, table).map((column) => compileReader(tables.memory, column))
  return () => {
    const { address, count, width } = tables.rows(table)
    return Array.from({ length: count }, (_, row) => {
      const first = address + row * width * cellBytes
      return readers.map((read, index) => read(first + index * cellBytes))
    })
  }
}

function columnsOf(tables: TableMemory, table: number): readonly ColumnLayout[] {
  return tables.layouts[table]?.columns ?? []
}

/** Throws OutOfRoom. */
export function writeCell(tables: TableMemory, address: number, column: ColumnLayout | undefined, cell: Cell): void {
  if (cell === null || column === undefined) return setCell(tables.memory, address, 0, nullLength)
  if (column.listNumber === null) return writeText(tables, address, formatText(column, cell as FilledScalar))
  const elements = cell as readonly Scalar[]
  const first = tables.addCells(column.listNumber, elements.length)
  for (const [index, element] of elements.entries()) {
    const at = first + index * cellBytes
    if (element === null) setCell(tables.memory, at, 0, nullLength)
    else writeText(tables, at, formatText(column, element))
  }
  setCell(tables.memory, address, first, elements.length)
}

function writeText(tables: TableMemory, address: number, text: string): void {
  const bytes = Buffer.byteLength(text)
  const at = tables.addBytes(bytes)
  tables.memory.bytes.write(text, at)
  setCell(tables.memory, address, at, bytes)
}

function formatText({ type, seconds }: ColumnLayout, value: FilledScalar): string {
  if (seconds) return String((value as number) / 1000)
  const { formatCanonical = String } = typeOf(type)
  return formatCanonical(value)
}

/** A reader of the cells of a column, or of the elements of its lists. */
export function compileScalarReader(memory: ScanMemory, column: ColumnLayout): (cell: number) => Scalar {
  const parse = compileParse(column)
  return (cell) => (memory.word(cell + 4) === nullLength ? null : parse(readText(memory, cell)))
}

function compileReader(memory: ScanMemory, column: ColumnLayout): (cell: number) => Cell {
  const readScalar = compileScalarReader(memory, column)
  if (!column.list) return readScalar
  return (cell) => {
    const at = memory.word(cell)
    const length = memory.word(cell + 4)
    return length === nullLength ? null : Array.from({ length }, (_, index) => readScalar(at + index * cellBytes))
  }
}

function compileParse({ type, seconds }: ColumnLayout): (text: string) => Scalar {
  return seconds ? (text) => Number(text) * 1000 : typeOf(type).parseCanonical
}

/** The value of a cell that the walk has filled, as in a record in canonical form. */
export function readCanonical(memory: ScanMemory, cell: number, type: ScalarType, isList: boolean): unknown {
  const address = memory.word(cell)
  const length = memory.word(cell + 4)
  if (length === nullLength) return null
  if (!isList) return parseCanonical(readText(memory, cell), type)
  return Array.from({ length }, (_, index) => readCanonical(memory, address + index * cellBytes, type, false))
}

/** Addresses of the elements of a list that are not null. Each element has `width` cells. */
export function listElements(memory: ScanMemory, cell: number, width: number): number[] {
  const first = memory.word(cell)
  const length = memory.word(cell + 4)
  const elements: number[] = []
  if (length === nullLength) return elements
  for (let at = first; at < first + length * cellBytes; at += width * cellBytes) {
    if (memory.word(at + 4) !== nullLength) elements.push(at)
  }
  return elements
}

export function readText(memory: ScanMemory, cell: number): string {
  return memory.text(memory.word(cell), memory.word(cell + 4))
}

function parseCanonical(text: string, type: ScalarType): unknown {
  switch (type) {
    case 'text':
    case 'json':
      return text
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'float':
    case 'timestamp':
      return Number(text)
  }
}
