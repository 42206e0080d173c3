import type { Block } from '../../records/block.ts'

/** The blocks up to the abort. What fails because of it is no failure of the source. */
export async function* stopOnAbort(blocks: AsyncIterable<Block>, signal: AbortSignal): AsyncGenerator<Block> {
  try {
    for await (const block of blocks) {
      if (signal.aborted) return
      yield block
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
