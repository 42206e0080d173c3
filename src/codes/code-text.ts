/** The text of a cell without what spreadsheets put around a code: spaces, quotes, ="…" and a leading apostrophe. */
export function unwrapCode(written: string): string {
  const text = withoutSpaces(written)
  const quoted = /^=?"([^"]*)"$/.exec(text)?.[1] ?? text
  return withoutSpaces(withoutSpaces(quoted).replace(/^'/, ''))
}

/**
 * Reads `4400-575` and `1270 525`, printed with single hyphens or spaces between digits, and `5660382.0`, as
 * spreadsheets and programs write a whole number held as a fraction.
 */
export function withoutSeparators(text: string): string {
  if (/^\d+[.,]0$/.test(text)) return text.slice(0, -2)
  return /^\d+(?:[\s\-\u2010-\u2015]\d+)+$/.test(text) ? text.replaceAll(/\D/g, '') : text
}

/** Restores lost leading zeros; a text of anything but digits stays as it is. */
export function padCode(text: string, length: number): string {
  return text.length < length && digitsOnly.test(text) ? text.padStart(length, '0') : text
}

/**
 * A code in the form in which lists and records are compared: leading zeros come and go. Empty for anything but a code.
 */
export function toComparableCode(code: unknown): string {
  const text = typeof code === 'string' || typeof code === 'number' || typeof code === 'bigint' ? String(code) : ''
  return digitsOnly.test(text) ? text.replace(/^0+(?=\d)/, '') : text
}

/** Includes zero-width spaces, which text from web pages brings. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/^[\s\u200B-\u200F\u2060\uFEFF]+|[\s\u200B-\u200F\u2060\uFEFF]+$/g, '')
}

const digitsOnly = /^\d+$/
