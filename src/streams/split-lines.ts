import { BlockCutter, defaultBlockBytes, defaultMaxLineBytes, type Block } from '../records/block.ts'
import { isBlank, linesOf, type RawLine } from '../records/raw-line.ts'
import { type OptionKinds, requireOptions, wholeNumber } from '../check-options.ts'
import { Stage } from './stage.ts'

export interface NumberedLine extends RawLine {
  /** 1-based; blank lines count. */
  readonly number: number
  readonly maxLineBytes: number
}

export interface SplitLinesOptions {
  /** A longer line is rejected. Its text is kept up to this length, or up to 1 MiB if that is more. Default 16 MiB. */
  readonly maxLineBytes?: number | undefined
}

/**
 * Bytes → lines, as bytes. LF and CRLF end a line; the last one may have neither. A byte order mark at the start is
 * dropped. Blank lines are dropped, but counted. Decompress before this stage.
 */
export function splitLines(options: SplitLinesOptions = {}): Stage<Buffer, NumberedLine> {
  requireOptions('splitLines', options, splitOptions)
  const { maxLineBytes = defaultMaxLineBytes } = options
  // A block a line: a line must not wait for later ones, which a slow source may send much later. As much of a line
  // that is too long is kept as in a run.
  const cutter = new BlockCutter({ blockBytes: 1, maxLineBytes: Math.max(maxLineBytes, defaultBlockBytes) })
  let number = 0
  function* toLines(blocks: Iterable<Block>): Generator<NumberedLine> {
    for (const block of blocks) {
      for (const line of linesOf(block)) {
        number++
        if (line.lineBytes > maxLineBytes || !isBlank(line)) yield { ...line, number, maxLineBytes }
      }
    }
  }
  return new Stage({
    bytes: 'taken',
    take: (chunk) => toLines(cutter.push(chunk)),
    end: () => toLines(cutter.end()),
  })
}

export const splitOptions: OptionKinds<SplitLinesOptions> = { maxLineBytes: wholeNumber(1) }
