/** One value of a row: a range of bytes anywhere in memory, or the elements of a list. */
@unmanaged
export class Cell {
  address: u32
  length: u32
}

/** A column as it is read and written; `toColumnProgram` in src/kernel/scan/table-encoder.ts lays it out. */
@unmanaged
export class Column {
  /** From the beginning of the row to the cell, in bytes. */
  offset: u32
  kind: u32
  isList: u32
  /** Decimals behind the point. */
  scale: u32
  /** The most digits of a decimal. */
  precision: u32
  /** The text before the value in a line of NDJSON, counted from the first column. */
  key: u32
  keyLength: u32
}

export const textKind: u32 = 0
/** @public the layout names every kind */
export const integerKind: u32 = 1
export const floatKind: u32 = 2
export const booleanKind: u32 = 3
export const millisecondsKind: u32 = 4
export const secondsKind: u32 = 5
export const dateKind: u32 = 6
export const decimalKind: u32 = 7
export const jsonKind: u32 = 8

export const cellBytes: usize = 8
export const nullLength: u32 = 0xffffffff

/** Returned instead of the bytes written: there was no room, or a value that only the reference path can write. */
export const noRoom: i32 = -1
export const notSure: i32 = -2

/** The most that a value other than text takes, signs around it included. */
export const scalarBytes: usize = 64

@inline
export function isNull(cell: Cell): bool {
  return cell.length == nullLength
}

@inline
export function isText(column: Column): bool {
  return column.kind == textKind || column.kind == jsonKind
}

@inline
export function toColumn(columns: usize, index: usize): Column {
  return changetype<Column>(columns + index * offsetof<Column>())
}

@inline
export function toCell(row: usize, column: Column): Cell {
  return changetype<Cell>(row + column.offset)
}

@inline
export function elementAt(list: Cell, index: usize): Cell {
  return changetype<Cell>((list.address as usize) + index * cellBytes)
}

/** The most that the text of a cell takes before anything in it is escaped, its elements with a sign behind each. */
export function textBytes(cell: Cell, column: Column): usize {
  if (!column.isList) return max<usize>(cell.length, scalarBytes)
  let bytes: usize = 0
  for (let index: usize = 0; index < cell.length; index++) {
    const element = elementAt(cell, index)
    bytes += isNull(element) ? 8 : max<usize>(element.length, scalarBytes) + 8
  }
  return bytes
}
