/** The name that Intl has for a time zone; null for a name that it does not know. Capitals and former names make no difference. */
export function findTimeZone(name: string): string | null {
  // The first use of Intl loads its data, which takes 15 ms of every start; most pipelines know no other zone.
  if (name === 'UTC') return name
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** True for two names of one time zone: `Europe/Brussels` and `europe/brussels`, `UTC` and `Etc/UTC`. */
export function isSameTimeZone(a: string, b: string): boolean {
  const zone = findTimeZone(a)
  return a === b || (zone !== null && zone === findTimeZone(b))
}
