/** Several codes in one text, as CSV has the elements of a list: a `|` or `\` within a code gets a `\` before it. */
export function joinCodes(codes: readonly string[]): string {
  return codes.map((code) => (special.test(code) ? code.replaceAll(everySpecial, '\\$&') : code)).join('|')
}

const special = /[|\\]/
const everySpecial = /[|\\]/g
