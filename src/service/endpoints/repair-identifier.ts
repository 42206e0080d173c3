import type { FilterValue } from './filter-values.ts'

/** The text of a cell without what spreadsheets put around a code: spaces, quotes, ="…" and a leading apostrophe. */
export function unwrapIdentifier(written: string): string {
  const text = withoutSpaces(written)
  const quoted = /^=?"([^"]*)"$/.exec(text)?.[1] ?? text
  return withoutSpaces(withoutSpaces(quoted).replace(/^'/, ''))
}

/**
 * An identifier in the form to request it: with its lost leading zeros and, for a code of digits, without hyphens and
 * spaces. Undefined if the text is no identifier. Digits get zeros up to `length`; without it, as many as the kind of
 * identifier declares.
 */
export function repairIdentifier(written: string, item: FilterValue, length = 0): string | number | undefined {
  const unwrapped = unwrapIdentifier(written)
  const text = item.isPrinted ? withoutSeparators(unwrapped) : unwrapped
  const whole = /^\d+$/.test(text) ? text.padStart(length, '0') : text
  if (length > 0 && whole.length > length) return undefined
  const value = [whole, ...toInteger(whole)].find((form) => item.schema.safeParse(form).success)
  if (value === undefined || item.toRequest === undefined) return value
  return item.toRequest(value) as string | number
}

/**
 * Reads `4400-575` and `1270 525`, printed with single hyphens or spaces between digits, and `5660382.0`, as
 * spreadsheets and programs write a whole number held as a fraction.
 */
function withoutSeparators(text: string): string {
  if (/^\d+[.,]0$/.test(text)) return text.slice(0, -2)
  return /^\d+(?:[\s\-\u2010-\u2015]\d+)+$/.test(text) ? text.replaceAll(/\D/g, '') : text
}

/** Some kinds of identifier accept whole numbers only as numbers. */
function toInteger(text: string): number[] {
  return /^\d{1,15}$/.test(text) ? [Number(text)] : []
}

/** Includes zero-width spaces, which text from web pages brings. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/^[\s\u200B-\u200F\u2060\uFEFF]+|[\s\u200B-\u200F\u2060\uFEFF]+$/g, '')
}
