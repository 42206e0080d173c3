import type { ColumnType, EncodeRows } from '../records/flatten/column.ts'
import { readRows } from './cells.ts'
import type { EncodeCells, EncodeModule } from './load-scan.ts'
import type { ScanMemory } from './scan-memory.ts'
import { cellBytes, type ColumnLayout, type TableMemory } from './table-memory.ts'

/** Encodes the rows that a table has at the time of the call; the bytes are valid until the next one. */
export type EncodeTable = () => Uint8Array

/**
 * Encodes with an encoder of the module. `encodeRows` is the reference encoder of the same columns and format: the
 * bytes are the same, and it encodes what the module does not know.
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

const noRoom = -1

/**
 * Puts `head` at the beginning of the output region and calls `encode` to write behind it, in a region that grows until
 * there is room. Undefined where `encode` met a value that only the reference encoder can write.
 */
function encodeBehind(
  memory: ScanMemory,
  head: Uint8Array,
  encode: (head: number, to: number, limit: number) => number,
): { readonly to: number; readonly end: number } | undefined {
  for (;;) {
    const at = memory.reserve('output', Math.max(memory.capacity('output'), head.length + leastRoomBytes))
    const to = at + head.length
    memory.bytes.set(head, at)
    const written = encode(at, to, at + memory.capacity('output') - slackBytes)
    if (written >= 0) return { to, end: to + written }
    if (written !== noRoom) return undefined
    memory.reserve('output', memory.capacity('output') * 2)
  }
}

const leastRoomBytes = 65_536
/** Bytes that the encoders may write behind those that they count. */
const slackBytes = 64

/** The part of a CSV dialect that shows in its rows. */
export interface CsvSigns {
  readonly delimiter: string
  readonly quote: string
  readonly quoteAll: boolean
  readonly lineBreak: 'lf' | 'crlf'
  readonly escapeFormulas: boolean
  readonly listSeparator: string
}

/** Encodes CSV as `createTableEncoder` does; `encodeRows` is the reference encoder of the same dialect. */
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

/** The columns of a table as wasm/encode/encode-cells.ts reads them, the texts before the values of NDJSON behind; a multiple of 8 bytes. */
function toColumnProgram(columns: readonly ColumnLayout[]): Buffer {
  const keys = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  const words = new Uint32Array(columns.length * wordsAColumn)
  let keyAt = words.byteLength
  for (const [index, { type, list, seconds }] of columns.entries()) {
    const keyLength = keys[index]?.length ?? 0
    const { precision, scale } = type.kind === 'decimal' ? type : { precision: 0, scale: 0 }
    const kind = seconds ? secondsKind : kinds[type.kind]
    words.set([index * cellBytes, kind, Number(list), scale, precision, keyAt, keyLength], index * wordsAColumn)
    keyAt += keyLength
  }
  const program = Buffer.alloc(Math.ceil(keyAt / 8) * 8)
  Buffer.concat([Buffer.from(words.buffer), ...keys]).copy(program)
  return program
}

const wordsAColumn = 7

const kinds: Readonly<Record<ColumnType['kind'], number>> = {
  text: 0,
  integer: 1,
  float: 2,
  boolean: 3,
  timestamp: 4,
  date: 6,
  decimal: 7,
  json: 8,
}
const secondsKind = 5
