import { generalStyle, textStyle } from './cell-styles.ts'

/** The most UTF-16 units of a cell: a program refuses a workbook with more. */
export const mostCharacters = 32_767

/**
 * A cell of text (ECMA-376, 18.3.1.4), never a formula. Characters that XML can't hold are written as `_x0001_`, and
 * text of this form is escaped. A text that is too long is cut.
 */
export function formatTextCell(text: string): string {
  if (text.length > mostCharacters) return formatTextCell(cutText(text))
  // Programs show long texts with the format for text as #####.
  const style = text.length > mostOfTextStyle ? generalStyle : textStyle
  return formatStyledText(text, style)
}

export function formatStyledText(text: string, style: number): string {
  const space = keepsSpace.test(text) ? ' xml:space="preserve"' : ''
  return `<c s="${style}" t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`
}

const mostOfTextStyle = 255
const keepsSpace = /^[ \t\n\r]|[\t\n]|[ \t\n\r]$/

function cutText(text: string): string {
  const isParted = text.codePointAt(mostCharacters - 1)! > 0xffff
  return text.slice(0, isParted ? mostCharacters - 1 : mostCharacters)
}

export function escapeText(text: string): string {
  return special.test(text) ? text.replaceAll(everySpecial, escapeOne) : text
}

function escapeOne(found: string): string {
  switch (found) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '"':
      return '&quot;'
    case '_':
      return '_x005F_'
    default:
      return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  }
}

// oxlint-disable-next-line no-control-regex -- the characters that XML has no form for, and the carriage return, which parsers turn into a line feed
const special = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\da-f]{4}_)/i
const everySpecial = new RegExp(special, 'gi')
