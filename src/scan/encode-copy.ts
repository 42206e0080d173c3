import type { Row } from '../records/column.ts'
import { readRows } from './cells.ts'
import { toColumnProgram } from './column-program.ts'
import { copyOut, encodeBehind, type EncodeModule } from './encode-module.ts'
import { cellBytes, type TableMemory } from './table-memory.ts'

/**
 * Encodes the rows that a table has at the moment of the call as COPY text; the bytes have a buffer of their own.
 * `encodeRows` is the plain encoder of the same columns: these are its bytes, and it does what the module does not.
 */
export function createCopyTableEncoder(
  module: EncodeModule,
  tables: TableMemory,
  table: number,
  encodeRows: (rows: readonly Row[]) => Uint8Array<ArrayBuffer>,
): () => Uint8Array<ArrayBuffer> {
  const { memory } = tables
  const encodePlainly = () => encodeRows(readRows(tables, table))
  const columns = tables.layouts[table]?.columns ?? []
  if (columns.length === 0) return encodePlainly
  const program = toColumnProgram(columns)
  return () => {
    const { address, count, width } = tables.rows(table)
    const found = encodeBehind(memory, program, (head, to, limit) =>
      module.encodeCopy(address, count, width * cellBytes, head, columns.length, to, limit),
    )
    return found === undefined ? encodePlainly() : copyOut(memory, found.to, found.end)
  }
}
