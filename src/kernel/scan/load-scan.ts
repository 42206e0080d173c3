import { loadModule } from '../../records/memory/load-module.ts'
import type { ScanMemory } from '../program/scan-memory.ts'

/** Exports of the module: see wasm/index.ts. Addresses and lengths are in bytes of the memory. */
export interface ScanModule extends EncodeModule {
  /** Returns how many bytes, in whole lines, are indexed. */
  scan(bytes: number, length: number, index: number, escapes: number): number
  beginWalk(scope: number, bytes: number, index: number, escapes: number): void
  /** Returns `lineAccepted`, `lineFallback` or the negative number of a header whose region is full. */
  walkLine(): number
  /**
   * Walks the lines that begin before an address and accepts those that follow the line before. Returns the verdict on
   * the first other line, or `linesEnded`.
   */
  walkLines(end: number): number
  /** Called before the lines of a block. The ids of lines that the walk accepts go to this region. */
  beginBlock(scope: number, ids: number, idsEnd: number): void
  /** Lets the walk accept the lines that follow the last one, which was applied outside. */
  expectNext(): void
  /** Makes the walk accept no line until the next `expectNext`. */
  expectNone(): void
  /** Undoes everything that the last line has written. */
  rollBack(): void
  profileCells(
    rows: number,
    count: number,
    rowBytes: number,
    columns: number,
    columnCount: number,
    states: number,
  ): void
}

/** Instantiates the module over this memory. `npm run wasm` builds src/kernel/scan/scan.wasm from wasm/. */
export function loadScan(memory: ScanMemory): ScanModule {
  const imports = { env: { memory: memory.memory, abort }, ...toNumberImports(memory) }
  return loadModule(new URL('scan.wasm', import.meta.url), imports) as unknown as ScanModule
}

function abort(): never {
  throw new Error('the scan module has aborted')
}

export interface EncodeModule {
  setCsvDialect(
    delimiter: number,
    quote: number,
    listSeparator: number,
    quoteAll: boolean,
    escapeFormulas: boolean,
    crlf: boolean,
    decimalComma: boolean,
  ): void
  readonly encodeCsv: EncodeCells
  readonly encodeNdjson: EncodeCells
  readonly encodeBatch: EncodeCells
  readonly encodeCopy: EncodeCells
}

/** Encodes `count` rows of cells. Returns the number of bytes written, or `noRoom` or `notSure`. */
export type EncodeCells = (
  rows: number,
  count: number,
  rowBytes: number,
  columns: number,
  columnCount: number,
  to: number,
  limit: number,
) => number

/**
 * Imports of the encoders: JavaScript parses numbers that need more than 53 bits. WebAssembly passes addresses as
 * signed numbers.
 */
function toNumberImports(memory: ScanMemory) {
  return {
    numbers: { parseFloat: (at: number, length: number) => Number(memory.text(at >>> 0, length, 'latin1')) },
  }
}
