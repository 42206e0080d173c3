/** The value of JSON; null if it is none, as in a damaged file or one of another program. */
export function tryJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof json === 'string' ? json : Buffer.from(json).toString())
  } catch {
    return null
  }
}
