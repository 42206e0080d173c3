import type { EncodeRows } from '../records/flatten/column.ts'
import type { EncodeModule } from './encode-module.ts'
import { createReferenceTableEncoder, createTableEncoder, type EncodeTable } from './table-encoder.ts'
import type { TableMemory } from './table-memory.ts'

/** What of a CSV dialect shows in its rows. */
export interface CsvSigns {
  readonly delimiter: string
  readonly quote: string
  readonly quoteAll: boolean
  readonly lineBreak: 'lf' | 'crlf'
  readonly escapeFormulas: boolean
  readonly listSeparator: string
}

/** As `createTableEncoder`, in a dialect; `encodeRows` is the plain encoder of the same signs. */
export function createCsvTableEncoder(
  module: EncodeModule,
  tables: TableMemory,
  table: number,
  signs: CsvSigns,
  encodeRows: EncodeRows,
): EncodeTable {
  if (!isKnownToModule(signs)) return createReferenceTableEncoder(tables, table, encodeRows)
  return createTableEncoder(
    tables,
    table,
    (...cells) => {
      // Other tables have other dialects.
      setDialect(module, signs)
      return module.encodeCsv(...cells)
    },
    encodeRows,
  )
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
