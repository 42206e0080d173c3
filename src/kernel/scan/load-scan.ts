import type { ScanMemory } from '../program/scan-memory.ts'

/** Exports of the kernel: see kernel/crates/wasm/src/. Addresses and lengths are in bytes of the memory. */
export interface ScanModule extends EncodeModule {
  /** Returns how many bytes, in whole lines, are indexed, or the complement of it, which is negative, if not all were UTF-8. */
  scan(bytes: number, length: number, index: number, escapes: number): number
  beginWalk(scope: number, bytes: number, index: number, escapes: number): void
  /** Returns `lineAccepted`, `lineFallback` or the negative number of a header whose region is full. */
  walkLine(scope: number): number
  /**
   * Walks the lines that begin before an address and accepts those that follow the line before. Returns the verdict on
   * the first other line, or `linesEnded`.
   */
  walkLines(scope: number, end: number): number
  /** Called before the lines of a block. The ids of lines that the walk accepts go to this region. */
  beginBlock(scope: number, ids: number, idsEnd: number): void
  /** Lets the walk accept the lines that follow the last one, which was applied outside. */
  expectNext(scope: number): void
  /** Makes the walk accept no line until the next `expectNext`. */
  expectNone(scope: number): void
  /** Undoes everything that the last line has written. */
  rollBack(scope: number): void
  profileCells(
    rows: number,
    count: number,
    rowBytes: number,
    columns: number,
    columnCount: number,
    states: number,
  ): void
}

export function loadScan(memory: ScanMemory): ScanModule {
  return memory.kernel as unknown as ScanModule
}

export interface EncodeModule {
  /** `flags` has bits: quote all 1, escape formulas 2, CR and LF 4, decimal comma 8. */
  encodeCsv(
    ...args: [...Parameters<EncodeCells>, delimiter: number, quote: number, listSeparator: number, flags: number]
  ): number
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
