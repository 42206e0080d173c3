import { escapeControls } from '../../text/escape-controls.ts'
import { cutEnd, cutStart, widthOf } from '../../text/text-width.ts'
import type { Excerpt, RejectExample, RejectGroup } from '../../sources/rejects/reject-groups.ts'
import type { Colors } from '../terminal.ts'
import { countOf } from '../../text/format-count.ts'

/**
 * Renders a reason of rejects: the number of lines, what was expected, and examples with a mark below the wrong value.
 */
export function renderGroup(group: RejectGroup, colors: Colors, width: number): string {
  const { code, path, count, expected, examples } = group
  const place = path === '' ? '' : `  ${escapeControls(path)}`
  const lines = countOf(count, 'line')
  return [
    fit(`${colors.bold(code)}${place}  ${lines}`, `${code}${place}  ${lines}`, width),
    `  ${cutText(escapeControls(expected), width - 2)}`,
    ...examples.flatMap((example) => renderExample(example, expected, colors, width)),
  ].join('\n')
}

/** The colored text if it fits; otherwise the plain text, cut. */
function fit(colored: string, plain: string, width: number): string {
  return widthOf(plain) <= width ? colored : cutText(plain, width)
}

function renderExample(example: RejectExample, expected: string, colors: Colors, width: number): string[] {
  const { source, line, id, message, excerpt } = example
  const got = message.startsWith(expected) ? message.slice(expected.length).replace(/^, /, '') : message
  const place = `${source}:${line}`
  const head = [place, ...(id === null ? [] : [id]), got].map(escapeControls).join('  ')
  const { text, mark } = renderExcerpt(excerpt, width - indent)
  const margin = ' '.repeat(indent)
  return [`  ${cutText(head, width - 2)}`, margin + colors.dim(text), `${margin}${colors.red(mark)}`]
}

const indent = 4

/** An excerpt on a line of at most `width` columns, and a line with the mark to put below it. */
export function renderExcerpt({ before, value, after, isCut }: Excerpt, width: number): { text: string; mark: string } {
  const wrong = cutText(escapeControls(value) + (isCut.value ? ellipsis : ''), Math.floor(width / 2))
  const left = width - widthOf(wrong)
  const shownAfter = escapeControls(after) + (isCut.after ? ellipsis : '')
  // The side that needs less leaves the rest to the other.
  const room = Math.max(left - widthOf(shownAfter), Math.ceil((left * 2) / 3))
  const start = cutFront(escapeControls(before), room, isCut.before)
  const text = start + wrong + cutText(shownAfter, left - widthOf(start))
  return { text, mark: ' '.repeat(widthOf(start)) + '^'.repeat(Math.max(1, widthOf(wrong))) }
}

const ellipsis = '…'

function cutText(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${cutStart(text, width - 1)}${ellipsis}`
}

function cutFront(text: string, width: number, isCut: boolean): string {
  if (!isCut && widthOf(text) <= width) return text
  return `${ellipsis}${cutEnd(text, width - 1)}`
}
