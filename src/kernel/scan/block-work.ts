import type { ScanMemory } from '../program/scan-memory.ts'
import * as layout from '../program/block-layout.ts'

/** What is done with a block behind its last line, as block-layout.ts describes it: tables are counted, others encoded. */
export interface BlockParts {
  readonly counted: readonly (readonly number[])[]
  readonly pieces: readonly number[]
}

/** The work of the kernel on one block after the other. It takes a step more for every line that needs JavaScript. */
export class BlockWork {
  readonly address: number
  readonly #memory: ScanMemory
  #digest = 0

  constructor(memory: ScanMemory, scope: number) {
    this.#memory = memory
    this.address = memory.place(new Uint8Array(layout.blockWords * 4))
    this.#set(layout.blockScope, scope)
  }

  /** Called once, if there are parts. Blocks are then digested, too. */
  setParts({ counted, pieces }: BlockParts): void {
    this.#set(layout.blockCounted, this.#place(counted.flat()))
    this.#set(layout.blockCountedCount, counted.length)
    this.#set(layout.blockPieces, this.#place(pieces))
    this.#set(layout.blockPieceCount, pieces.length)
    this.#digest = this.#memory.place(new Uint8Array(digestBytes))
  }

  /** The room of the pieces of the next block. */
  setRoom(to: number, limit: number): void {
    this.#set(layout.blockTo, to)
    this.#set(layout.blockLimit, limit)
  }

  /** Begins with lines that are in memory, with room for their index. */
  beginLines(lines: {
    readonly address: number
    readonly bytes: number
    readonly indexedBytes: number
    readonly index: number
    readonly escapes: number
    readonly accepts: boolean
  }): void {
    const { address, bytes, indexedBytes, index, escapes, accepts } = lines
    this.next = address
    this.#set(layout.blockEnd, address + indexedBytes)
    this.#set(layout.blockIndexed, address)
    this.#set(layout.blockIndex, index)
    this.#set(layout.blockEscapes, escapes)
    this.#set(layout.blockAccepts, Number(accepts))
    this.#set(layout.blockBytes, address)
    this.#set(layout.blockLength, bytes)
    this.#set(layout.blockDigest, bytes < leastDigestedBytes ? 0 : this.#digest)
  }

  /** Leaves nothing but the end of a block whose lines are not in memory. */
  beginEnd(): void {
    this.next = 0
    this.#set(layout.blockEnd, 0)
    this.#set(layout.blockDigest, 0)
  }

  /** Leaves out the lines that are left. */
  skipRest(): void {
    this.next = this.#word(layout.blockEnd)
  }

  /** The address of the next line. */
  get next(): number {
    return this.#word(layout.blockNext)
  }

  set next(address: number) {
    this.#set(layout.blockNext, address)
  }

  /** True if the lines that are indexed are UTF-8. */
  get isUtf8(): boolean {
    return this.#word(layout.blockIsUtf8) === 1
  }

  /** The number of bytes of a piece, or a negative number if it was not encoded. */
  resultOf(piece: number): number {
    return this.#memory.word(piece + layout.pieceResult) | 0
  }

  /** In hexadecimal; null if the block was not digested. */
  get digest(): string | null {
    const address = this.#word(layout.blockDigest)
    return address === 0 ? null : this.#memory.bytes.toString('hex', address, address + digestBytes)
  }

  #place(words: readonly number[]): number {
    return this.#memory.placeWords(words)
  }

  #word(offset: number): number {
    return this.#memory.word(this.address + offset)
  }

  #set(offset: number, value: number): void {
    this.#memory.setWord(this.address + offset, value)
  }
}

export const digestBytes = 16
/** Shorter blocks have another digest. */
export const leastDigestedBytes = 241
