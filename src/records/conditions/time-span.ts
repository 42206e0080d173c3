import { parseIsoDate } from '../../types/iso-time.ts'
import { compileLocalDay, findDayStart } from '../../types/time-zone.ts'

/** The first and the last moment; the same if it is one. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

/**
 * The milliseconds since 1970 UTC of an ISO 8601 date, which are those of the whole day in the time zone, or of a date and time
 * with its offset; and the day in days since 1970. Undefined for text that is neither.
 */
export function readTime(text: string, timezone: string): (TimeSpan & { readonly day: number }) | undefined {
  const milliseconds = parseIsoDate(text)
  if (Number.isNaN(milliseconds)) return undefined
  if (text.includes('T')) {
    return { from: milliseconds, until: milliseconds, day: compileLocalDay(timezone)(milliseconds) }
  }
  const day = milliseconds / dayMs
  return { from: findDayStart(day, timezone), until: findDayStart(day + 1, timezone) - 1, day }
}

const dayMs = 86_400_000
