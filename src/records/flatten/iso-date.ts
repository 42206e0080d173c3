/**
 * Milliseconds since 1970 UTC of an ISO 8601 date (midnight UTC) or of a moment with its offset; NaN for text that is
 * neither, that names a day the calendar does not have, or that is finer than a millisecond.
 */
export function parseIsoDate(text: string): number {
  const [, day, fraction = ''] = isoDate.exec(text) ?? []
  const isWhole = /^\d{0,3}0*$/.test(fraction)
  // Date.parse takes February 30 for March 2.
  const isDay = day !== undefined && toDayText(Date.parse(day)) === day
  return isWhole && isDay ? Date.parse(text) : Number.NaN
}

function toDayText(milliseconds: number): string {
  return Number.isNaN(milliseconds) ? '' : new Date(milliseconds).toISOString().slice(0, 10)
}

const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.(\d+))?)?(?:Z|[+-]\d{2}:\d{2}))?$/
