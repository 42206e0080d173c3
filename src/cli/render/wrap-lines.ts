import { widthOf } from '../../text/text-width.ts'

/** The narrowest width to wrap to: below it lines would be one word each. */
const narrowest = 40

/**
 * Wraps laid-out text for a terminal: a line that is too wide continues below its last cell. Words stay whole, so that
 * paths and addresses can be copied.
 */
export function wrapLines(text: string, columns: number): string {
  const width = Math.max(narrowest, columns)
  const lines = text.split('\n')
  return lines.map((line) => (isMarked(line) || widthOf(line) <= width ? line : wrapLine(line, width))).join('\n')
}

/** True for an excerpt of a config or the mark below it, which have been fitted together. */
function isMarked(line: string): boolean {
  return /^\S*\s+\d* ?\| /.test(line)
}

function wrapLine(line: string, width: number): string {
  const hanging = findHanging(line, width)
  const lines: string[] = []
  let current = ''
  for (const [, space = '', word = ''] of line.matchAll(/(\s*)(\S+)/g)) {
    const isBegun = current.trim() !== ''
    const isTooWide = widthOf(current) + space.length + widthOf(word) > width
    // A word that is too long for any line gains nothing from a new one.
    if (isBegun && isTooWide && widthOf(hanging + word) <= width) {
      lines.push(current)
      current = hanging + word
    } else current += space + word
  }
  return [...lines, current].join('\n')
}

/** Blanks up to the last cell that begins in the left half; without one, the line's indentation plus two. */
function findHanging(line: string, width: number): string {
  const cells = [...line.matchAll(/\S {2,}(?=\S)/g)].map(({ index, 0: gap }) =>
    widthOf(line.slice(0, index + gap.length)),
  )
  const indent = line.search(/\S/) + 2
  return ' '.repeat(cells.findLast((start) => start <= width / 2) ?? indent)
}
