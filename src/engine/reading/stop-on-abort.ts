import type { Block } from '../../records/block.ts'

/** Yields blocks until the abort, and ignores errors after it. */
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
