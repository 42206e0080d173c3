/** Joins codes with `|`, as CSV joins elements of a list; a `|` or `\` within a code is escaped with `\`. */
export function joinCodes(codes: readonly string[]): string {
  return codes.map((code) => (special.test(code) ? code.replaceAll(everySpecial, '\\$&') : code)).join('|')
}

/**
 * The codes of a canonical text, of one or several, that don't have the declared number of digits. Empty codes are left
 * out.
 */
export function listOddCodes(text: string, length: number): readonly string[] {
  if (text.length === length && digitsOnly.test(text)) return none
  return splitCodes(text).filter((code) => code !== '' && !(code.length === length && digitsOnly.test(code)))
}

/** The codes that `joinCodes` joined. */
export function splitCodes(text: string): string[] {
  if (!special.test(text)) return [text]
  return (text.match(eachCode) ?? []).map((code) => code.replaceAll(escaped, '$1'))
}

const special = /[|\\]/
const everySpecial = /[|\\]/g
const none: readonly string[] = []
const digitsOnly = /^\d+$/
const eachCode = /(?:[^|\\]|\\.?)+/gs
const escaped = /\\(.)/gs
