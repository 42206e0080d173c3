import type { Block } from '../../records/block.ts'
import { findLineBreak, type RawLine, toRawLine } from '../../records/raw-line.ts'

export interface BlockCandidates {
  /** The number of lines of the block. */
  readonly lines: number
  /** In their order. */
  readonly candidates: readonly { readonly lineInBlock: number; readonly line: RawLine }[]
}

/**
 * Finds the lines of blocks that may have a record with one of these ids: all that hold the text of an id, or one of its
 * characters, or of the key `id`, as an escape. Of an id that JSON writes in yet other ways every line may. Numbers with an
 * exponent are not looked for.
 */
export function compileCandidates(ids: readonly string[]): (block: Block) => BlockCandidates {
  const isPlain = ids.every((id) => /^[\u0020\u0021\u0023-\u002e\u0030-\u005b\u005d-\u007e]+$/.test(id))
  const texts = ids.map((id) => Buffer.from(withoutZeros(id)))
  const escaped = new Set(Buffer.from(['id', ...ids].join('')))
  return (block) => {
    const positions = isPlain ? listPositions(block.bytes, texts, escaped) : null
    return takeLines(block, positions)
  }
}

/** Codes may come without the zeros on the left that the contract restores. */
function withoutZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '')
}

const escape = Buffer.from('\\u00')

/** Positions in the lines that may have one, in order; one or more a line. */
function listPositions(bytes: Buffer, texts: readonly Buffer[], escaped: ReadonlySet<number>): number[] {
  const positions: number[] = []
  for (const text of texts) {
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, findLineBreak(bytes, at))) positions.push(at)
  }
  for (let at = bytes.indexOf(escape); at >= 0; at = bytes.indexOf(escape, at + 1)) {
    const code = Number.parseInt(bytes.toString('latin1', at + escape.length, at + escape.length + 2), 16)
    if (escaped.has(code)) positions.push(at)
  }
  return positions.toSorted((a, b) => a - b)
}

/** The lines at these positions; with null all of them. */
function takeLines(block: Block, positions: readonly number[] | null): BlockCandidates {
  const { bytes } = block
  const candidates: { lineInBlock: number; line: RawLine }[] = []
  let lines = 0
  let at = 0
  const count = positions?.length ?? 0
  const isCandidate = (end: number): boolean => positions === null || (positions[at] ?? end) < end
  for (let start = 0; start < bytes.length; lines++) {
    const end = findLineBreak(bytes, start)
    if (isCandidate(end)) candidates.push({ lineInBlock: lines, line: toRawLine(block, start, end, false) })
    for (; at < count && isCandidate(end); at++);
    start = end + 1
  }
  return { lines, candidates }
}
