import { createCopyTextEncoder } from '../formats/copy-text.ts'
import { createRowEncoder } from '../formats/file-format.ts'
import { PageMemory } from '../formats/parquet/page-memory.ts'
import type { RowGroup } from '../formats/parquet/row-group-cutter.ts'
import {
  createRowGroupEncoder,
  type EncodedRowGroup,
  type EncodeRowGroup,
} from '../formats/parquet/row-group-encoder.ts'
import { type MemoryRange, MemorySpace } from '../memory/memory-space.ts'
import { OutputArenas } from '../memory/output-arenas.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { Block } from '../records/block.ts'
import type { EncodeRows } from '../records/flatten/column.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { OutOfRoom } from '../scan/scan-memory.ts'
import { createDigest } from './digest-block.ts'
import { createFastEncoding } from './encode-fast.ts'
import { createReferenceEncoding } from './encode-reference.ts'
import type { CompiledEncoding, EncodedBlock, EncodingPlan, PieceFormat } from './encoding-plan.ts'

/**
 * Encodes one block. The same block gives the same bytes in any thread, after any other block. `room` is that of an
 * earlier block: the pieces overwrite it, or it is used for something else if it is too small. Throws BlockTooLarge for a
 * block whose rows take more than `mostRegionBytes`, by default what several threads may take at the same time.
 */
export type EncodeBlock = (
  block: Block,
  repeated?: RepeatedLines,
  room?: MemoryRange,
  mostRegionBytes?: number,
) => Promise<EncodedBlock>

/** Nothing was done with the block; `room` is free again. */
export class BlockTooLarge extends Error {
  readonly room: MemoryRange

  constructor(room: MemoryRange) {
    super('the rows of a block take more memory than several threads may take')
    this.room = room
  }
}

/** Rows of 16 MiB from 1 MiB of lines are those of very short elements. */
const usualRegionBytes = 16 * 1024 * 1024

/** The encoding of a thread. */
export interface BlockEncoding {
  readonly encodeBlock: EncodeBlock
  /** The counts of the rows of all blocks that this thread has encoded. */
  readonly collectCounts: () => RowCounts
}

/** Makes a plan ready for the thread that this runs in. Blocks that lie in the memory of `space` are not copied. */
export async function createEncoding(
  { records, scan, ...plan }: CompiledEncoding,
  space = new MemorySpace(),
): Promise<BlockEncoding> {
  const files = plan.files.map((file) => ({
    ...file,
    encodeRows: compileFormat(file.format, records.tables[file.table]),
  }))
  const counting = { ...plan, records }
  const { encode, collectCounts } = await (scan === null
    ? createReferenceEncoding(files, counting)
    : createFastEncoding(scan, files, space, counting))
  const arenas = new OutputArenas(space)
  const digestBlock = createDigest(space)
  const encodeBlock: EncodeBlock = async (block, repeated, room, mostRegionBytes = usualRegionBytes) => {
    const arena = arenas.open(room)
    try {
      const lines = encode(block, repeated, arena, mostRegionBytes)
      arenas.learn(arena)
      return { ...lines, digest: digestBlock(block.bytes), room: arena.room }
    } catch (error) {
      throw error instanceof OutOfRoom ? new BlockTooLarge(arena.room) : error
    }
  }
  return { encodeBlock, collectCounts }
}

function compileFormat(format: PieceFormat, table: TablePlan | undefined): EncodeRows {
  const { name = '', columns = [] } = table ?? {}
  if (format.format !== 'copy') return createRowEncoder(format, columns)
  return createCopyTextEncoder(columns, name)
}

/** Encodes a row group of the Parquet file that is at `file` in the plan. The same row group gives the same bytes. */
export type EncodeGroup = (file: number, group: RowGroup) => Promise<EncodedRowGroup>

/** Compiles a plan for this thread. All files share one memory, which is made for the first row group. */
export function compileGroupEncoding({ records, files }: EncodingPlan): EncodeGroup {
  const encoders = new Map<number, Promise<EncodeRowGroup>>()
  let memory: PageMemory | undefined

  async function createEncoder(file: number): Promise<EncodeRowGroup> {
    const { table, format } = files[file] ?? {}
    if (table === undefined || format?.format !== 'parquet')
      throw new TypeError(`file ${file} of the plan is no Parquet`)
    memory ??= new PageMemory()
    return createRowGroupEncoder(records.tables[table]?.columns ?? [], format.compression, memory)
  }

  return async (file, group) => {
    const encoder = encoders.get(file) ?? createEncoder(file)
    encoders.set(file, encoder)
    return (await encoder)(group)
  }
}
