import type { Block } from '../../records/block.ts'
import type { EncodedBlock } from './encoding-plan.ts'

/** Limits the blocks between reading and writing by the memory that they take. */
export class UnderWay {
  #begun = 0
  #ended = 0
  /** Bytes of a block with its pieces. A large block raises it at once; it falls slowly. */
  #usualBytes = firstBytes
  readonly #waiting = new Map<number, () => void>()

  get most(): number {
    return Math.max(1, Math.floor(mostBytes / this.#usualBytes))
  }

  begin(): number {
    return this.#begun++
  }

  learn({ bytes }: Pick<Block, 'bytes'>, { pieces }: Pick<EncodedBlock, 'pieces'>): void {
    const own = pieces.reduce((sum, { length }) => sum + length, bytes.length)
    this.#usualBytes = Math.max(own, this.#usualBytes * (1 - forgotten))
  }

  /** Resolves when all blocks before this one are written. */
  async untilAlone(block: number): Promise<void> {
    if (block > this.#ended) await new Promise<void>((resolve) => this.#waiting.set(block, resolve))
  }

  end(): void {
    this.#waiting.get(++this.#ended)?.()
  }
}

/** Twice what 8 workers hold for records of 5 kB in three formats. */
const mostBytes = 256 * 1024 * 1024
const firstBytes = 8 * 1024 * 1024
const forgotten = 1 / 16
