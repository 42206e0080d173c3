/** Parses JSON; whole numbers that a number might not hold exactly, such as ids of snapshots, become bigints. */
export function parseExactJson(text: string): unknown {
  const marked = text.replace(stringOrNumber, (token) => (longNumber.test(token) ? `"${mark}${token}"` : token))
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('\u0001') ? BigInt(value.slice(1)) : value,
  )
}

/** The inverse of `parseExactJson`. */
export function formatExactJson(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `\u0001${each}` : each))
  return text.replace(/"\\u0001(-?\d+)"/g, '$1')
}

/** As JSON writes the character before a number, which no name or text begins with. */
const mark = String.raw`\u0001`
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const longNumber = /^-?\d{16,}$/
