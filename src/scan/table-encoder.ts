import type { EncodeRows } from '../records/flatten/column.ts'
import { readRows } from './cells.ts'
import { toColumnProgram } from './program/column-program.ts'
import { encodeBehind, type EncodeCells } from './encode-module.ts'
import { cellBytes, type TableMemory } from './table-memory.ts'

/** Encodes the rows that a table has at the moment of the call; the bytes are valid until the next one. */
export type EncodeTable = () => Uint8Array

/**
 * Encodes with an encoder of the module. `encodeRows` is the plain one of the same columns and format: these are its
 * bytes, and it does what the module does not.
 */
export function createTableEncoder(
  tables: TableMemory,
  table: number,
  encodeCells: EncodeCells,
  encodeRows: EncodeRows,
): EncodeTable {
  const { memory } = tables
  const encodeReference = createReferenceTableEncoder(tables, table, encodeRows)
  const columns = tables.layouts[table]?.columns ?? []
  if (columns.length === 0) return encodeReference
  const program = toColumnProgram(columns)
  return () => {
    const { address, count, width } = tables.rows(table)
    const found = encodeBehind(memory, program, (head, to, limit) =>
      encodeCells(address, count, width * cellBytes, head, columns.length, to, limit),
    )
    return found === undefined ? encodeReference() : memory.bytes.subarray(found.to, found.end)
  }
}

export function createReferenceTableEncoder(tables: TableMemory, table: number, encodeRows: EncodeRows): EncodeTable {
  return () => encodeRows(readRows(tables, table))
}
