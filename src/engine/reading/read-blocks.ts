import { setImmediate } from 'node:timers/promises'
import { BlockBuffers } from '../../memory/block-buffers.ts'
import type { Block } from '../../records/block.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { CompletenessTracker } from '../../sources/completeness.ts'
import type { Reading, Source } from '../../sources/source.ts'
import type { BlockPart } from './block-parts.ts'
import { JoinedBlock } from './joined-block.ts'
import { SourceReading } from './source-reading.ts'
import { stopOnAbort } from './stop-on-abort.ts'

export interface ReadBlocksOptions extends RequiredContext<'signal'> {
  /** Memory for the blocks; default some of its own. */
  readonly buffers?: BlockBuffers | undefined
  /** Judges the sources together; null where each is judged alone. */
  readonly tracker: CompletenessTracker | null
  /** Read no more lines than this, of all sources together. */
  readonly limit: number | null
  /** When a source begins to be read. */
  readonly onSource?: ((name: string) => void) | undefined
}

/** A step of the reading. */
export interface ReadStep {
  /** Null where sources end without a line. */
  readonly block: Block | null
  /** 0-based, over all sources. */
  readonly blockNumber: number
  readonly parts: readonly BlockPart[]
}

/**
 * Reads the sources one after the other, block by block. Small files come several in a block. The blocks follow from the
 * bytes of the sources alone.
 */
export async function* readBlocks(
  sources: readonly Source[],
  { limit, onSource, tracker, signal, buffers = new BlockBuffers() }: ReadBlocksOptions,
): AsyncGenerator<ReadStep> {
  let linesLeft = limit ?? Number.POSITIVE_INFINITY
  let blockNumber = 0
  const joined = new JoinedBlock(buffers, (source) => new SourceReading(source, nothingLeft, tracker))

  async function* takeJoined(): AsyncGenerator<ReadStep> {
    if (joined.isEmpty) return
    const { block, parts } = joined.take()
    yield { block, parts, blockNumber: block === null ? blockNumber : blockNumber++ }
    // Lets other tasks run.
    await setImmediate()
  }

  for (const source of sources) {
    if (linesLeft <= 0 || signal.aborted) break
    onSource?.(source.name)
    let lines = joined.add(source, linesLeft)
    if (lines === null && !joined.isEmpty) {
      yield* takeJoined()
      lines = joined.add(source, linesLeft)
    }
    if (lines !== null) {
      linesLeft -= lines
      if (joined.isFull) yield* takeJoined()
      continue
    }
    const reading = new SourceReading(source, source.read(signal, buffers), tracker)
    for await (const whole of stopOnAbort(reading.blocks, signal)) {
      const read = linesLeft === Number.POSITIVE_INFINITY ? { block: whole, lines: 0 } : firstLines(whole, linesLeft)
      linesLeft -= read.lines
      yield { block: read.block, blockNumber: blockNumber++, parts: [toPart(reading, read.block)] }
      if (linesLeft <= 0) break
    }
    if (!signal.aborted) yield { block: null, blockNumber, parts: [{ ...toPart(reading, null), isEnd: true }] }
  }
  yield* takeJoined()
}

/** Reads what is read already. */
const nothingLeft: Reading = { blocks: (async function* () {})(), document: () => null }

function toPart(reading: SourceReading, block: Block | null): BlockPart {
  const { bytes, droppedBytes, byteOffset } = block ?? { bytes: { length: 0 }, droppedBytes: 0, byteOffset: 0 }
  return { reading, bytes: bytes.length + droppedBytes, start: 0, byteOffset, lines: null, isEnd: false }
}

/** The block up to its nth line, and how many lines that are. */
function firstLines(block: Block, most: number): { readonly block: Block; readonly lines: number } {
  const { bytes } = block
  let end = 0
  let lines = 0
  while (lines < most && end < bytes.length) {
    const found = bytes.indexOf(0x0a, end)
    end = found < 0 ? bytes.length : found + 1
    lines++
  }
  if (end === bytes.length) return { block, lines }
  return { block: { ...block, bytes: bytes.subarray(0, end), droppedBytes: 0, unterminated: false }, lines }
}
