/** A code in the form in which lists and records are compared: leading zeros come and go. Nothing for what is no code. */
export function toComparableCode(code: unknown): string {
  const text = typeof code === 'string' || typeof code === 'number' || typeof code === 'bigint' ? String(code) : ''
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text
}
