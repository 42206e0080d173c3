import type { CsvDialect } from '../../manifest/manifest.ts'
import { typeOf } from '../../types/column-types.ts'
import { OutOfMemory } from '../../records/memory/memory-space.ts'
import type { OutputArena } from '../../records/memory/output-arenas.ts'
import type { EncodeRows } from '../../records/flatten/column.ts'
import { readRows } from './cells.ts'
import type { ScanModule } from './load-scan.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { csvPiece } from '../program/block-layout.ts'
import { cellBytes, type ColumnLayout, type TableMemory } from '../program/table-memory.ts'

export interface TableEncoder {
  /** The address of what the kernel encodes at the end of a block; null if only `encode` can. */
  readonly piece: number | null
  /** Encodes the rows that the table has at the time of the call, as the next piece of an arena. */
  readonly encode: (arena: OutputArena) => Uint8Array
}

/** A format that the kernel encodes: its number, for CSV with the words of its dialect. */
export type KernelFormat = readonly [format: number, ...dialect: number[]]

/**
 * Makes an encoder that runs in the kernel. `encodeRows`, the reference encoder of the same columns and format, writes
 * the same bytes and takes over for values, and for a format, that the kernel does not support.
 */
export function createTableEncoder(
  module: ScanModule,
  tables: TableMemory,
  table: number,
  format: KernelFormat | null,
  encodeRows: EncodeRows,
): TableEncoder {
  const { memory } = tables
  const reference: TableEncoder = { piece: null, encode: (arena) => arena.add(encodeRows(readRows(tables, table))) }
  const columns = tables.layouts[table]?.columns ?? []
  if (format === null || columns.length === 0) return reference
  const program = memory.place(toColumnProgram(columns))
  const [number, ...dialect] = format
  const noDialect = [0, 0, 0, 0].slice(dialect.length)
  const header = tables.tableHeader(table)
  const piece = memory.placeWords([header, program, columns.length, number, ...dialect, ...noDialect, 0])
  const encode: EncodeWithin = (to, limit) => module.encodePiece(piece, to, limit - slackBytes)
  return {
    piece,
    encode(arena) {
      const written = encode(arena.end, arena.limit)
      if (written >= 0) return arena.addWritten(written)
      const encoded = written === noRoom ? encodeElsewhere(memory, arena, encode) : null
      return encoded ?? reference.encode(arena)
    },
  }
}

/** Encodes to an address, below a limit. Returns the number of bytes written, or `noRoom` or another negative number. */
type EncodeWithin = (to: number, limit: number) => number

const noRoom = -1

/**
 * Encodes in a region that grows until there is room and is then released: the arenas of later blocks are larger. Null
 * if a value needs the reference encoder.
 */
function encodeElsewhere(memory: ScanMemory, arena: OutputArena, encode: EncodeWithin): Uint8Array | null {
  for (let bytes = leastRoomBytes; ; bytes = memory.capacity('output') * 2) {
    if (bytes > mostRoomBytes)
      throw new OutOfMemory('the rows of a block: expected at most 1 GiB in an output, got more')
    const at = memory.reserve('output', bytes)
    const written = encode(at, at + memory.capacity('output'))
    if (written === noRoom) continue
    const piece = written < 0 ? null : arena.add(memory.bytes.subarray(at, at + written))
    memory.release('output')
    return piece
  }
}

const leastRoomBytes = 65_536
/** The most that a piece may have: half of what the module counts with a sign. */
const mostRoomBytes = 1024 * 1024 * 1024
/** Encoders write a little beyond the end of a piece. */
export const slackBytes = 64

export type CsvSigns = Omit<CsvDialect, 'bom' | 'header'>

/** The format of a CSV dialect; null for one that the kernel does not know. */
export function toCsvFormat(signs: CsvSigns): KernelFormat | null {
  if (!isKnownToKernel(signs)) return null
  const [delimiter = 0, quote = 0, separator = 0] = [signs.delimiter, signs.quote, signs.listSeparator].map((sign) =>
    sign.charCodeAt(0),
  )
  const flags = [signs.quoteAll, signs.escapeFormulas, signs.lineBreak === 'crlf', signs.decimalSeparator === ',']
  const bits = flags.reduce((sum, isSet, bit) => sum | (Number(isSet) << bit), 0)
  return [csvPiece, delimiter, quote, separator, bits]
}

/**
 * True if each sign is one ASCII character that is no part of a number or a time, so that only text and lists can hold
 * it.
 */
function isKnownToKernel({ delimiter, quote, listSeparator, decimalSeparator }: CsvSigns): boolean {
  return [delimiter, quote, listSeparator].every(
    (sign) => /^[^\w.:+-]$/.test(sign) && sign.charCodeAt(0) < 0x80 && sign !== decimalSeparator,
  )
}

/**
 * The columns of a table as `Rows::columns` of the kernel reads them, followed by the texts before the values of NDJSON.
 */
export function toColumnProgram(columns: readonly ColumnLayout[]): Buffer {
  const keys = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  const words = new Uint32Array(columns.length * wordsAColumn)
  let keyAt = words.byteLength
  for (const [index, { type, list, seconds }] of columns.entries()) {
    const keyLength = keys[index]?.length ?? 0
    const { precision, scale } = type.kind === 'decimal' ? type : { precision: 0, scale: 0 }
    const kind = seconds ? secondsKind : typeOf(type).cellKind
    words.set([index * cellBytes, kind ?? 0, Number(list), scale, precision, keyAt, keyLength], index * wordsAColumn)
    keyAt += keyLength
  }
  return Buffer.concat([Buffer.from(words.buffer), ...keys])
}

const wordsAColumn = 7

/** Timestamps in seconds, as they were delivered. */
const secondsKind = 5
