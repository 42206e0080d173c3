import { createRequire } from 'node:module'
import type stringWidth from 'string-width'

/** Columns that text takes on a terminal: two for wide characters, none for combining ones and for colors. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : loadStringWidth()(text)
}

/** Text in at most so many columns: cut between two characters, with an ellipsis, where it needs more. */
export function fitText(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const [start] = splitAt(text, width - 1)
  return width < 1 ? '' : `${start.trimEnd()}…`
}

/** Text with blanks behind it up to so many columns. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** As much of a text as has room in so many columns, and the rest. Characters made of several code points stay whole. */
export function splitAt(text: string, width: number): [start: string, rest: string] {
  if (isPlain(text)) return [text.slice(0, Math.max(0, width)), text.slice(Math.max(0, width))]
  const measure = loadStringWidth()
  let end = 0
  let columns = 0
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    columns += measure(segment)
    if (columns > width) break
    end += segment.length
  }
  return [text.slice(0, end), text.slice(end)]
}

/** True where each UTF-16 unit is one column: Latin letters, punctuation, arrows and the parts of bars. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u2580-\u2593]*$/.test(text)
}

/** Loads what most runs have no need of. */
function loadStringWidth(): typeof stringWidth {
  return createRequire(import.meta.url)('string-width') as typeof stringWidth
}
