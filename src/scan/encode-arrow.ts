import type { Row } from '../records/column.ts'
import { createArrowMessage } from './arrow-message.ts'
import { readRows } from './cells.ts'
import { toColumnProgram } from './column-program.ts'
import { copyOut, encodeBehind, type EncodeModule } from './encode-module.ts'
import { cellBytes, type TableMemory } from './table-memory.ts'

/**
 * Encodes the rows that a table has at the moment of the call as an Arrow IPC stream of one batch; the bytes have a
 * buffer of their own. `encodeRows` is the plain encoder of the same columns: the batch reads as its batch does, the
 * schema is its schema byte for byte, and it does what the module does not.
 */
export function createArrowTableEncoder(
  module: EncodeModule,
  tables: TableMemory,
  table: number,
  encodeRows: (rows: readonly Row[]) => Uint8Array<ArrayBuffer>,
): () => Uint8Array<ArrayBuffer> {
  const { memory } = tables
  const columns = tables.layouts[table]?.columns ?? []
  const program = toColumnProgram(columns)
  const message = createArrowMessage(columns, encodeRows([]))
  const head = Buffer.concat([program, message.bytes])
  return () => {
    const { address, count, width } = tables.rows(table)
    const found = encodeBehind(memory, head, (at, body, limit) => {
      const start = body - message.bytes.length
      const [nodes, buffers] = [start + message.nodesAt, start + message.buffersAt]
      return module.encodeArrow(address, count, width * cellBytes, at, columns.length, nodes, buffers, body, limit)
    })
    if (found === undefined) return encodeRows(readRows(tables, table))
    const start = found.to - message.bytes.length
    const { bytes } = memory
    bytes.writeUInt32LE(count, start + message.rowCountAt)
    bytes.writeUInt32LE(found.end - found.to, start + message.bodyLengthAt)
    bytes.set(endOfStream, found.end)
    return copyOut(memory, start, found.end + endOfStream.length)
  }
}

const endOfStream = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]
