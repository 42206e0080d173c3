import { BlockBuffers } from '../../records/memory/block-buffers.ts'
import { dropFreeChunks } from '../../records/memory/chunk-buffer.ts'
import { type MemoryRange, MemorySpace, OutOfMemory } from '../../records/memory/memory-space.ts'
import { KernelThreads } from '../../records/memory/kernel-threads.ts'
import { releaseMemory } from '../../records/memory/release-memory.ts'
import { defaultBlockBytes, type Block } from '../../records/block.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import { compileScan } from '../program/compile-scan.ts'
import { hasOwnCode } from '../../records/own-code.ts'
import { chooseKernel } from '../../records/memory/load-kernel.ts'
import { createLineCount } from './digest-block.ts'
import {
  type BlockEncoding,
  BlockTooLarge,
  createEncoding,
  compileGroupEncoding,
  type EncodeGroup,
} from './encode-block.ts'
import type { CompiledEncoding, EncodedBlock, EncodingPlan } from './encoding-plan.ts'
import { withFeeds } from './feed-tables.ts'
import { openThreadPool, runsInThreads } from './thread-pool.ts'
import { UnderWay } from './under-way.ts'
import { openWorkerPool, type EncodePool } from './worker-pool.ts'
import { formatCount } from '../../text/format-count.ts'

/**
 * Encodes the blocks and row groups of a run, in this thread and in workers. The bytes do not depend on the thread. A
 * block is handed over, a row group is lent until the answer, and the pieces of a block are lent until `release`.
 */
export interface Encoder {
  readonly isFast: boolean
  /** How many blocks keep all threads busy; fewer if blocks get so large that they would take too much memory. */
  readonly ahead: number
  /** Bytes of all blocks so far. */
  readonly seenBytes: number
  readonly buffers: BlockBuffers
  readonly encodeBlock: (this: void, block: Block, repeated?: RepeatedLines) => Promise<EncodedBlock>
  /** Releases the room of a block whose pieces are written. Has to be called for every block, in order. */
  release(this: void, block: Pick<EncodedBlock, 'room' | 'pieces'>): void
  readonly encodeGroup: EncodeGroup
  /** Counts of the rows of all blocks, in parts. Has to be called once, after the last block. */
  collectCounts(): Promise<readonly RowCounts[]>
  close(): Promise<void>
}

export interface EncoderOptions {
  readonly workers: number
  readonly expectedBytes?: number
}

/**
 * Starts workers if the input is large enough for them, by `expectedBytes` or by the bytes so far. Until they are
 * ready, or with 0 workers, this thread does everything.
 */
export async function openEncoder(
  plan: EncodingPlan,
  { workers, expectedBytes = 0 }: EncoderOptions,
): Promise<Encoder> {
  openEncoders++
  let seenBytes = 0
  const freeRooms: MemoryRange[] = []
  const underWay = new UnderWay()

  let closing: Promise<void> | undefined

  /** Every call waits for the same end, and fails with it. */
  async function close(): Promise<void> {
    closing ??= end()
    await closing
  }

  async function end(): Promise<void> {
    if (--openEncoders === 0) dropFreeChunks()
    await pool?.close()
  }

  const scan = chooseKernel().target === 'reference' ? null : compileScan(withFeeds(plan.records))
  const compiled: CompiledEncoding = { ...plan, scan }
  const space = new MemorySpace()
  // Code of a config stays in its thread.
  const mayStart = workers > 0 && !hasOwnCode(plan.records)
  let pool: EncodePool | null = null
  openIfWorthIt(expectedBytes)
  const here = await createHere()
  const buffers = new BlockBuffers(space, createLineCount(space))
  const encodeGroupHere = compileGroupEncoding(plan)

  async function createHere(): Promise<BlockEncoding> {
    try {
      return await createEncoding(compiled, space)
    } catch (error) {
      await close()
      throw error
    }
  }

  function openIfWorthIt(bytes: number): void {
    if (pool !== null || !mayStart || bytes < bytesForWorkers) return
    pool = openPool(compiled, workers)
    pool.start(compiled, space)
  }

  async function encodeSomewhere(block: Block, repeated: RepeatedLines | undefined): Promise<EncodedBlock> {
    const isSmall = block.bytes.length <= mostBytesForWorkers
    const { encodeBlock: encode } = isSmall && pool?.takesBlock() === true ? pool : here
    const turn = underWay.begin()
    try {
      return await encode(block, repeated, freeRooms.pop())
    } catch (error) {
      if (!(error instanceof BlockTooLarge)) throw error
      freeRooms.push(error.room)
    }
    await underWay.untilAlone(turn)
    try {
      return await here.encodeBlock(block, repeated, freeRooms.pop(), mostRegionBytesAlone)
    } catch (error) {
      throw error instanceof BlockTooLarge ? new OutOfMemory(describeTooLarge(block)) : error
    }
  }

  return {
    isFast: compiled.scan !== null,
    get ahead() {
      return Math.min(pool?.ahead ?? 1, underWay.most)
    },
    get seenBytes() {
      return seenBytes
    },
    buffers,
    async encodeBlock(block, repeated) {
      if (block.bytes.length > mostRegionBytesAlone) throw new OutOfMemory(describeTooLarge(block))
      seenBytes += block.bytes.length
      openIfWorthIt(seenBytes)
      const encoded = await encodeSomewhere(block, repeated)
      underWay.learn(block, encoded)
      block.release?.()
      return encoded
    },
    release({ room, pieces }) {
      freeRooms.push(room)
      for (const piece of pieces) if (hasOwnMemory(piece)) releaseMemory(piece)
      underWay.end()
    },
    encodeGroup: (file, group) => (pool?.isReady === true ? pool.encodeGroup : encodeGroupHere)(file, group),
    collectCounts: async () => [here.collectCounts(), ...((await pool?.collectCounts()) ?? [])],
    close,
  }
}

/** In this process. */
let openEncoders = 0

/** A block whose rows take more memory than several threads may have is encoded while no other is. */
const mostRegionBytesAlone = 256 * 1024 * 1024

function describeTooLarge({ byteOffset }: Block): string {
  const most = mostRegionBytesAlone / 1024 / 1024
  return `the lines from byte ${formatCount(byteOffset)} on: expected a line, and its rows in a table, of at most ${most} MiB, got more`
}

/** True for a piece that did not fit into the room of its block. */
function hasOwnMemory(piece: Uint8Array): piece is Uint8Array<ArrayBuffer> {
  return piece.length > 0 && piece.buffer instanceof ArrayBuffer
}

function openPool(plan: CompiledEncoding, workers: number): EncodePool {
  const threads = runsInThreads(plan) ? KernelThreads.share(workers + 1) : null
  if (threads !== null) return openThreadPool(threads, workers + 1)
  return openWorkerPool(workers, workers > manyWorkers ? 2 : 3)
}

/** Starting threads takes as long as encoding many blocks. */
const bytesForWorkers = 8 * defaultBlockBytes

/**
 * A worker has one block that is being encoded and two that wait, so that it has work while this thread is busy. With
 * more workers than this, one block waits for each: this thread encodes less itself, and waiting blocks take memory.
 */
const manyWorkers = 4

/**
 * A block with a very long line is encoded here, while nothing else is read: several at a time would take several times
 * the memory, and that of workers is limited.
 */
const mostBytesForWorkers = 1.25 * defaultBlockBytes
