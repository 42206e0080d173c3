import { copyBytes } from './memory/copy-bytes.ts'
import type { BlockBuffers } from './memory/block-buffers.ts'
import type { Block } from './block.ts'
import type { TablePlan } from './flatten/table-plan.ts'
import { findLineBreak } from './raw-line.ts'

/**
 * The most lines of a block, which bounds its cells as well: a line of 20 bytes can be a row of 1,000 columns. It
 * depends on the columns alone: every reading has the same blocks.
 */
export function mostLinesOf({ tables }: { readonly tables: readonly Pick<TablePlan, 'each' | 'columns'>[] }): number {
  const cells = tables.reduce((sum, { each, columns }) => sum + (each.length === 0 ? columns.length : 0), 0)
  return Math.max(1, Math.floor(mostCells / Math.max(1, cells)))
}

export function* divideBlock(block: Block, mostLines: number, buffers: BlockBuffers): Generator<Block> {
  const { bytes, byteOffset, droppedBytes, unterminated } = block
  if (buffers.countLineBreaks(bytes) <= mostLines) {
    yield block
    return
  }
  for (let start = 0; start < bytes.length;) {
    const end = findEnd(bytes, start, mostLines)
    const isLast = end === bytes.length
    // A block of its own: its scan writes behind the last byte.
    const own = buffers.take(end - start)
    copyBytes(bytes.subarray(start, end), own)
    yield {
      ...block,
      bytes: own.subarray(0, end - start),
      byteOffset: byteOffset + start,
      droppedBytes: isLast ? droppedBytes : 0,
      unterminated: isLast && unterminated,
      release: () => buffers.release(own),
    }
    start = end
  }
  block.release?.()
}

function findEnd(bytes: Buffer, start: number, lines: number): number {
  for (let left = lines; left > 0 && start < bytes.length; left--) start = findLineBreak(bytes, start) + 1
  return Math.min(start, bytes.length)
}

/** Cells of 2 MiB, and some 8 MiB of NDJSON: blocks of 51 columns with less than 200 bytes a record are divided. */
const mostCells = 262_144
