import type { ScanMemory } from '../program/scan-memory.ts'

/** Exports of the kernel: see kernel/crates/wasm/src/. Addresses and lengths are in bytes of the memory. */
export interface ScanModule extends EncodeModule {
  /** Works on a block until a line needs JavaScript, or to its end. Returns an answer of block-layout.ts. */
  runBlock(work: number): number
  /** Undoes everything that the last line has written. */
  rollBack(scope: number): void
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
