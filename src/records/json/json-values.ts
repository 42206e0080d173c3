/** True for a parsed JSON value that is an object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a text is as JSON; null if it is anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** A total or an index as JSON holds it, also as text; null for anything else. */
export function toCount(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
