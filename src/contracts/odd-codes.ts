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

const none: readonly string[] = []
const digitsOnly = /^\d+$/
const special = /[|\\]/
const eachCode = /(?:[^|\\]|\\.?)+/gs
const escaped = /\\(.)/gs
