import { type BlockOutcome, indexBehind, type IndexRun } from '../../records/block-outcome.ts'
import type { LinePlace, Reject } from '../../records/reject.ts'
import type { SourceReading } from './source-reading.ts'

export interface BlockPart {
  readonly reading: SourceReading
  readonly bytes: number
  /** Offset of its first byte in the block. */
  readonly start: number
  /** Offset of its first byte in the source. */
  readonly byteOffset: number
  /** Null for all remaining lines of the block. */
  readonly lines: LinesOfPart | null
  readonly isEnd: boolean
}

export interface LinesOfPart {
  readonly all: number
  readonly filled: number
}

/** Passes its share of a block's outcome to each source. */
export function shareOutcome(
  parts: readonly BlockPart[],
  { counts, indexes, isCut }: Pick<BlockOutcome, 'counts' | 'indexes' | 'isCut'>,
): void {
  const takeRuns = splitRuns(indexes)
  let linesLeft = counts.lines
  for (const { reading, bytes, lines } of parts) {
    const { all, filled } = lines ?? { all: linesLeft, filled: linesLeft }
    // Only the last line of a block may be cut.
    reading.take({ indexes: takeRuns(filled), isCut: isCut && lines === null }, { lines: all, bytes })
    linesLeft -= all
  }
}

function splitRuns(runs: readonly IndexRun[]): (lines: number) => IndexRun[] {
  let at = 0
  let rest = runs[0]
  return (lines) => {
    const taken: IndexRun[] = []
    for (let missing = lines; missing > 0 && rest !== undefined;) {
      const run: IndexRun = { ...rest, count: Math.min(rest.count, missing) }
      taken.push(run)
      missing -= run.count
      const left = rest.count - run.count
      rest = left === 0 ? runs[++at] : { ...rest, first: indexBehind(run), count: left }
    }
    return taken
  }
}

/** Finds the places of a block's lines. Ask for lines in order, and before the outcome is shared. */
export function compilePlaces(
  parts: readonly BlockPart[],
  blockOffset: number,
): (line: Pick<Reject, 'lineInBlock' | 'byteOffset'>) => LinePlace {
  let at = 0
  let firstLine = 0
  return ({ lineInBlock, byteOffset }) => {
    let part = parts[at] as BlockPart
    for (; part.lines !== null && lineInBlock >= firstLine + part.lines.all; part = parts[++at] as BlockPart)
      firstLine += part.lines.all
    const { reading, start } = part
    const line = reading.lines + lineInBlock - firstLine + 1
    const offset = byteOffset - blockOffset - start + part.byteOffset
    const { name, placeOf } = reading.source
    return { source: name, line, byteOffset: reading.hasByteOffsets ? offset : null, ...placeOf?.(line) }
  }
}
