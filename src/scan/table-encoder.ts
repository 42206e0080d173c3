import type { EncodeRows } from '../records/column.ts'
import type { PieceRoom } from '../records/piece-room.ts'
import { readRows } from './cells.ts'
import { toColumnProgram } from './column-program.ts'
import { encodeBehind, type EncodeCells } from './encode-module.ts'
import { cellBytes, type TableMemory } from './table-memory.ts'

/** Encodes the rows that a table has at the moment of the call: into the room, or with a buffer of their own. */
export type EncodeTable = (room?: PieceRoom) => Uint8Array

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
  const encodePlainly = createPlainTableEncoder(tables, table, encodeRows)
  const columns = tables.layouts[table]?.columns ?? []
  if (columns.length === 0) return encodePlainly
  const program = toColumnProgram(columns)
  return (room) => {
    const { address, count, width } = tables.rows(table)
    const found = encodeBehind(memory, program, (head, to, limit) =>
      encodeCells(address, count, width * cellBytes, head, columns.length, to, limit),
    )
    if (found === undefined) return encodePlainly(room)
    const encoded = memory.bytes.subarray(found.to, found.end)
    return room === undefined ? new Uint8Array(encoded) : room.add(encoded)
  }
}

export function createPlainTableEncoder(tables: TableMemory, table: number, encodeRows: EncodeRows): EncodeTable {
  return (room) => {
    const encoded = encodeRows(readRows(tables, table))
    return room?.add(encoded) ?? encoded
  }
}
