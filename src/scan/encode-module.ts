import type { ScanMemory } from './scan-memory.ts'

/** What wasm/encode/encode.ts exports. */
export interface EncodeModule {
  setCsvDialect(
    delimiter: number,
    quote: number,
    listSeparator: number,
    quoteAll: boolean,
    escapeFormulas: boolean,
    crlf: boolean,
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

/** The imports that the encoders ask for: numbers that take more than 53 bits to be read are JavaScript's. */
export function toNumberImports(memory: ScanMemory) {
  return {
    numbers: { parseFloat: (at: number, length: number) => Number(memory.bytes.toString('latin1', at, at + length)) },
  }
}

const noRoom = -1

/**
 * Puts `head` at the beginning of the output region and calls `encode` to write behind it, in a region that grows until
 * there is room. Undefined where `encode` met a value that only the plain path knows how to write.
 */
export function encodeBehind(
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
/** What the encoders may write behind what they count. */
const slackBytes = 64
