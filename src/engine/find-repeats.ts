import { readIdEntries, toIdText } from '../records/id-entries.ts'
import type { Issue } from '../records/issue.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { LineReader } from './read-lines.ts'
import type { LineOutcome } from './source-reading.ts'

/** The lines that `duplicates: last | reject` leaves out, by block. */
export interface Repeats {
  readonly linesOf: (blockNumber: number) => RepeatedLines | undefined
  /** The digest of what was read, to see whether the second reading finds the same. */
  readonly inputDigest: string
}

/**
 * Reads everything once to find which line of each id stays: the last valid one, or the first. Only ids and places are
 * kept. Which line is the last can't be known before the end, and what is written can't be taken back.
 */
export async function findRepeats(reader: LineReader<LineOutcome>, mode: 'last' | 'reject'): Promise<Repeats> {
  const kept = new Map<string, { readonly block: number; readonly line: number }>()
  const left = new Map<number, Map<number, 'drop' | Issue>>()
  const leaveOut = (block: number, line: number, fate: 'drop' | Issue): void => {
    const lines = left.get(block)
    if (lines === undefined) left.set(block, new Map([[line, fate]]))
    else lines.set(line, fate)
  }
  for await (const { blockNumber, outcome } of reader.blocks()) {
    for (const { bytes, lineInBlock } of readIdEntries(outcome.ids)) {
      const id = toIdText(bytes)
      const earlier = kept.get(id)
      if (earlier !== undefined && mode === 'last') leaveOut(earlier.block, earlier.line, 'drop')
      if (earlier !== undefined && mode === 'reject') leaveOut(blockNumber, lineInBlock, repeatedId(id))
      if (earlier === undefined || mode === 'last') kept.set(id, { block: blockNumber, line: lineInBlock })
    }
  }
  return { linesOf: (blockNumber) => left.get(blockNumber), inputDigest: reader.end().inputDigest }
}

function repeatedId(id: string): Issue {
  return { code: 'duplicate_id', path: 'id', message: `expected an id once in the stream, got "${id}" again` }
}
