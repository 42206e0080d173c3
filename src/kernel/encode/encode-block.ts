import { serialize } from 'node:v8'
import { createCopyTextEncoder } from '../../formats/copy-text.ts'
import { createRowEncoder } from '../../formats/file-format.ts'
import type { RowGroup } from '../../formats/parquet/row-group-cutter.ts'
import {
  createRowGroupEncoder,
  type EncodedRowGroup,
  type EncodeRowGroup,
} from '../../formats/parquet/row-group-encoder.ts'
import type { KernelThreads, RunByThread } from '../../records/memory/kernel-threads.ts'
import { type MemoryRange, MemorySpace } from '../../records/memory/memory-space.ts'
import { OutputArenas } from '../../records/memory/output-arenas.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import type { EncodeRows } from '../../records/flatten/column.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { OutOfRoom } from '../program/scan-memory.ts'
import type { KernelSteps } from '../scan/scan-block.ts'
import { createDigest } from './digest-block.ts'
import { createFastEncoding } from './encode-fast.ts'
import { createReferenceEncoding } from './encode-reference.ts'
import { feedFormat, withFeeds } from './feed-tables.ts'
import type { CompiledEncoding, EncodedBlock, EncodingPlan, PieceFormat } from './encoding-plan.ts'

/**
 * Encodes one block. The same block gives the same bytes in any thread, after any other block. The pieces overwrite
 * `room`, that of an earlier block; room that is too small is released. Throws BlockTooLarge if the rows of the block
 * take more than `mostRegionBytes`, by default what each of several threads may take.
 */
export type EncodeBlock = (
  block: Block,
  repeated?: RepeatedLines,
  room?: MemoryRange,
  mostRegionBytes?: number,
) => Promise<EncodedBlock>

/** Thrown before anything was done with the block; `room` is free again. */
export class BlockTooLarge extends Error {
  readonly room: MemoryRange

  constructor(room: MemoryRange) {
    super('the rows of a block take more memory than several threads may take')
    this.room = room
  }
}

/** Only very short elements give rows of 16 MiB from 1 MiB of lines. */
const usualRegionBytes = 16 * 1024 * 1024

export interface BlockEncoding {
  readonly encodeBlock: EncodeBlock
  readonly collectCounts: () => RowCounts
}

/**
 * Makes a plan ready for the current thread. Blocks in the memory of `space` are not copied. With `threads` the kernel
 * runs there, and only lines that it leaves to JavaScript are worked on here; one block at a time.
 */
export async function createEncoding(
  { records: planned, scan, ...plan }: CompiledEncoding,
  space = new MemorySpace(),
  threads: KernelThreads | null = null,
): Promise<BlockEncoding> {
  const records = withFeeds(planned)
  const files = plan.files.map(({ table, format: own }) => {
    const format = planned.tables[table]?.builtin ? feedFormat : own
    return { table, format, encodeRows: compileFormat(format, records.tables[table]) }
  })
  const counting = { ...plan, records }
  const { encode, run, address, collectCounts } = await (scan === null
    ? createReferenceEncoding(files, counting)
    : createFastEncoding(scan, files, space, counting))
  const { runBlockOn } = space.kernel as unknown as ThreadedKernel
  const runSomewhere =
    threads === null || address === null
      ? run
      : (step: number) => (step < mostStepsAway ? threads.run(runBlockOn, address) : run())
  const arenas = new OutputArenas(space)
  const digestBlock = createDigest(space)
  const encodeBlock: EncodeBlock = async (block, repeated, room, mostRegionBytes = usualRegionBytes) => {
    const arena = arenas.open(room)
    try {
      const steps = encode(block, repeated, arena, mostRegionBytes)
      const lines = await takeSteps(steps, repeated === undefined ? runSomewhere : run)
      arenas.learn(arena)
      return { ...lines, digest: lines.digest ?? digestBlock(block.bytes), room: arena.room }
    } catch (error) {
      throw error instanceof OutOfRoom ? new BlockTooLarge(arena.room) : error
    }
  }
  return { encodeBlock, collectCounts }
}

interface ThreadedKernel {
  readonly runBlockOn: RunByThread
}

/** Lines that need JavaScript take a step each. A block with many of them is faster in this thread. */
const mostStepsAway = 8

/** Waits for nothing if every run answers at once. */
async function takeSteps<Result>(
  steps: KernelSteps<Result>,
  run: (step: number) => number | Promise<number>,
): Promise<Result> {
  let next = steps.next()
  for (let step = 0; next.done !== true; step++) {
    const answer = run(step)
    next = steps.next(typeof answer === 'number' ? answer : await answer)
  }
  return next.value
}

/** The encoder of the rows of a table, in the reference path. */
function compileFormat(format: PieceFormat, table: TablePlan | undefined): EncodeRows {
  const { name = '', columns = [] } = table ?? {}
  switch (format.format) {
    case 'copy':
      return createCopyTextEncoder(columns, name)
    case 'rows':
      return (rows) => new Uint8Array(serialize(rows))
    default:
      return createRowEncoder(format, columns)
  }
}

/** Encodes a row group of the Parquet file at index `file` of the plan. The same row group gives the same bytes. */
export type EncodeGroup = (file: number, group: RowGroup) => Promise<EncodedRowGroup>

/** Compiles a plan for the current thread, or for threads of the kernel. All files share one memory, which is made for the first row group. */
export function compileGroupEncoding(
  { records, files }: EncodingPlan,
  threads: KernelThreads | null = null,
): EncodeGroup {
  const encoders = new Map<number, Promise<EncodeRowGroup>>()
  let space: MemorySpace | undefined

  async function createEncoder(file: number): Promise<EncodeRowGroup> {
    const { table, format } = files[file] ?? {}
    if (table === undefined || format?.format !== 'parquet')
      throw new TypeError(`file ${file} of the plan is no Parquet`)
    space ??= new MemorySpace()
    return createRowGroupEncoder(records.tables[table]?.columns ?? [], format.compression, space, threads)
  }

  return async (file, group) => {
    const encoder = encoders.get(file) ?? createEncoder(file)
    encoders.set(file, encoder)
    return (await encoder)(group)
  }
}
