/** Several codes in one text, as CSV has the elements of a list: a `|` or `\` within a code gets a `\` before it. */
export function joinCodes(codes: readonly string[]): string {
  return codes.map((code) => (special.test(code) ? code.replaceAll(everySpecial, '\\$&') : code)).join('|')
}

/** The codes in a canonical text, which may hold several, that have not the declared number of digits; empty ones are none. */
export function listOddCodes(text: string, length: number): readonly string[] {
  if (text.length === length && digitsOnly.test(text)) return none
  return splitCodes(text).filter((code) => code !== '' && !(code.length === length && digitsOnly.test(code)))
}

/** The codes that `joinCodes` has joined. */
function splitCodes(text: string): string[] {
  if (!special.test(text)) return [text]
  return (text.match(eachCode) ?? []).map((code) => code.replaceAll(escaped, '$1'))
}

const special = /[|\\]/
const everySpecial = /[|\\]/g
const none: readonly string[] = []
const digitsOnly = /^\d+$/
const eachCode = /(?:[^|\\]|\\.?)+/gs
const escaped = /\\(.)/gs
