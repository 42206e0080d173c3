import type { Row } from '../records/column.ts'
import { readRows } from './cells.ts'
import { toColumnProgram } from './column-program.ts'
import { copyOut, encodeBehind, type EncodeModule } from './encode-module.ts'
import { cellBytes, type TableMemory } from './table-memory.ts'

/** What of a CSV dialect shows in its rows. */
export interface CsvSigns {
  readonly delimiter: string
  readonly quote: string
  readonly quoteAll: boolean
  readonly lineBreak: 'lf' | 'crlf'
  readonly escapeFormulas: boolean
  readonly listSeparator: string
}

/**
 * Encodes the rows that a table has at the moment of the call; the bytes have a buffer of their own. `encodeRows` is the
 * plain encoder of the same columns and signs: these are its bytes, and it does what the module does not.
 */
export function createCsvTableEncoder(
  module: EncodeModule,
  tables: TableMemory,
  table: number,
  signs: CsvSigns,
  encodeRows: (rows: readonly Row[]) => Uint8Array<ArrayBuffer>,
): () => Uint8Array<ArrayBuffer> {
  const { memory } = tables
  const encodePlainly = () => encodeRows(readRows(tables, table))
  const columns = tables.layouts[table]?.columns ?? []
  if (!isKnownToModule(signs) || columns.length === 0) return encodePlainly
  const program = toColumnProgram(columns)
  return () => {
    const { address, count, width } = tables.rows(table)
    setDialect(module, signs)
    const found = encodeBehind(memory, program, (head, to, limit) =>
      module.encodeCsv(address, count, width * cellBytes, head, columns.length, to, limit),
    )
    return found === undefined ? encodePlainly() : copyOut(memory, found.to, found.end)
  }
}

function setDialect(module: EncodeModule, signs: CsvSigns): void {
  const [delimiter, quote, separator] = [signs.delimiter, signs.quote, signs.listSeparator].map((sign) =>
    sign.charCodeAt(0),
  )
  module.setCsvDialect(
    delimiter ?? 0,
    quote ?? 0,
    separator ?? 0,
    signs.quoteAll,
    signs.escapeFormulas,
    signs.lineBreak === 'crlf',
  )
}

/** Signs that are one ASCII character and no part of a number or a time, so that only text and lists can hold them. */
function isKnownToModule({ delimiter, quote, listSeparator }: CsvSigns): boolean {
  return [delimiter, quote, listSeparator].every((sign) => /^[^\w.:+-]$/.test(sign) && sign.charCodeAt(0) < 0x80)
}
