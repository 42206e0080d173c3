/** The value of JSON; null if it can't be parsed, as in a damaged file or that of another program. */
export function tryJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString())
  } catch {
    return null
  }
}
