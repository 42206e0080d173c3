/** Columns that text takes on a terminal: two for wide characters, none for those that are put over others. */
export function displayWidth(text: string): number {
  if (isPlain.test(text)) return text.length
  let width = 0
  for (const grapheme of splitGraphemes(text)) width += graphemeWidth(grapheme)
  return width
}

/** The beginning of a text that takes at most `width` columns. */
export function cutStart(text: string, width: number): string {
  if (isPlain.test(text)) return text.slice(0, Math.max(0, width))
  let taken = ''
  let left = width
  for (const grapheme of splitGraphemes(text)) {
    left -= graphemeWidth(grapheme)
    if (left < 0) break
    taken += grapheme
  }
  return taken
}

/** The end of a text that takes at most `width` columns. */
export function cutEnd(text: string, width: number): string {
  if (isPlain.test(text)) return width <= 0 ? '' : text.slice(-width)
  let at = text.length
  let left = width
  for (const grapheme of splitGraphemes(text).toReversed()) {
    left -= graphemeWidth(grapheme)
    if (left < 0) break
    at -= grapheme.length
  }
  return text.slice(at)
}

function splitGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return invisible.test(grapheme) ? 0 : 1
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const isPlain = /^[ -~]*$/
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
/** Emoji, and the scripts of East Asia with their full-width forms (Unicode, East Asian Width). */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u
