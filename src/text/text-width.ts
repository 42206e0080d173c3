import { createRequire } from 'node:module'
import type stringWidth from 'string-width'

/** Columns that text takes on a terminal: two for wide characters, none for combining ones and for colors. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : loadStringWidth()(text)
}

/** Text in at most `width` columns: cut between two characters, with an ellipsis, if it needs more. */
export function fitText(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${cutStart(text, width - 1).trimEnd()}…`
}

export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Splits text behind the characters that fit into `width` columns. Characters of several code points stay whole. */
export function splitAt(text: string, width: number): [start: string, rest: string] {
  const start = cutStart(text, width)
  return [start, text.slice(start.length)]
}

export function cutStart(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, width))
  return text.slice(0, takeColumns(splitGraphemes(text), width))
}

export function cutEnd(text: string, width: number): string {
  if (isPlain(text)) return width <= 0 ? '' : text.slice(-width)
  return text.slice(text.length - takeColumns(splitGraphemes(text).toReversed(), width))
}

function takeColumns(graphemes: readonly string[], width: number): number {
  const measure = loadStringWidth()
  let units = 0
  let columns = 0
  for (const grapheme of graphemes) {
    columns += measure(grapheme)
    if (columns > width) break
    units += grapheme.length
  }
  return units
}

function splitGraphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
}

/** True if each UTF-16 unit is one column: Latin letters, punctuation, arrows and the parts of bars. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u2580-\u2593]*$/.test(text)
}

function loadStringWidth(): typeof stringWidth {
  return createRequire(import.meta.url)('string-width') as typeof stringWidth
}
