import type { ScanMemory } from '../program/scan-memory.ts'

/** Exports of the kernel: see kernel/crates/wasm/src/. Addresses and lengths are in bytes of the memory. */
export interface ScanModule {
  /** Works on a block until a line needs JavaScript, or to its end. Returns an answer of block-layout.ts. */
  runBlock(work: number): number
  /** Undoes everything that the last line has written. */
  rollBack(scope: number): void
  /** Encodes the rows of a piece of block-layout.ts. Returns the number of bytes written, or a negative number. */
  encodePiece(piece: number, to: number, limit: number): number
}

export function loadScan(memory: ScanMemory): ScanModule {
  return memory.kernel as unknown as ScanModule
}
