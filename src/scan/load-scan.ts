import { loadModule } from '../memory/load-module.ts'
import type { ScanMemory } from './scan-memory.ts'

/** The exports of the module: see wasm/index.ts. Addresses and lengths are in bytes of the memory. */
export interface ScanModule extends EncodeModule {
  /** Gives how many bytes, in whole lines, the index holds. */
  scan(bytes: number, length: number, index: number, escapes: number): number
  beginWalk(scope: number, bytes: number, index: number, escapes: number): void
  /** One of `lineAccepted` and `lineFallback`, or the negative of a header whose region has no room. */
  walkLine(): number
  /**
   * Walks the lines that begin before an address, and accepts those that follow the one before; the verdict on the first that
   * does not, or `linesEnded`.
   */
  walkLines(end: number): number
  /** Called before the lines of a block: the ids of those that the walk accepts go into this region. */
  beginBlock(scope: number, ids: number, idsEnd: number): void
  /** Lets the walk accept the lines that follow the last one, which was applied outside. */
  expectNext(): void
  /** Has the walk accept no line until the next `expectNext`. */
  expectNone(): void
  /** Takes back everything that the last line has written. */
  rollBack(): void
  /** Counts the cells of `count` rows into the states of their columns: see wasm/profile/profile.ts. */
  profileCells(
    rows: number,
    count: number,
    rowBytes: number,
    columns: number,
    columnCount: number,
    states: number,
  ): void
}

/** The module over this memory; src/scan/scan.wasm is built from wasm/ by `npm run wasm`. */
export function loadScan(memory: ScanMemory): ScanModule {
  const imports = { env: { memory: memory.memory, abort }, ...toNumberImports(memory) }
  return loadModule(new URL('scan.wasm', import.meta.url), imports) as unknown as ScanModule
}

function abort(): never {
  throw new Error('the scan module has aborted')
}

/** The exports of wasm/encode/encode.ts. */
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

/** Encodes `count` rows of cells. Gives how many bytes it wrote, or `noRoom` or `notSure`. */
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
 * The imports that the encoders ask for: numbers that take more than 53 bits to be read are JavaScript's. Addresses come from
 * WebAssembly as signed numbers.
 */
function toNumberImports(memory: ScanMemory) {
  return {
    numbers: { parseFloat: (at: number, length: number) => Number(memory.text(at >>> 0, length, 'latin1')) },
  }
}
