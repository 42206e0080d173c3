/** Compares two canonical values of a column: negative if the first sorts first. */
export type CompareValues = (one: string, other: string) => number

/** Compares byte strings, which have one character for each byte. */
export function compareBytes(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Compares whole numbers of any length, without leading zeros. */
export function compareDigits(one: string, other: string): number {
  const isNegative = one.startsWith('-')
  if (isNegative !== other.startsWith('-')) return isNegative ? -1 : 1
  const order = one.length === other.length ? compareBytes(one, other) : one.length - other.length
  return isNegative ? -order : order
}

/** Decodes a byte string; drops an incomplete character at its end. */
export function showText(canonical: string): string {
  const bytes = Buffer.from(canonical, 'latin1')
  return bytes.toString('utf8', 0, wholeCharacters(bytes))
}

function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return start + length > bytes.length ? Math.max(start, 0) : bytes.length
}
