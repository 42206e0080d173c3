import { CatalogueError } from '../../errors.ts'
import { readTime } from '../../records/conditions/time-span.ts'

/** A moment to look at, in milliseconds since 1970 UTC. */
export interface AsOf {
  readonly at: number
  /** When the day begins, if it is one. */
  readonly from: number
  readonly written: string
}

/**
 * Reads a date, whose last moment in the time zone is meant as `until` means it in conditions, or a date and time with its
 * offset. Throws USAGE for anything else.
 */
export function readAsOf(written: string, timezone: string, option = '--as-of'): AsOf {
  const time = readTime(written, timezone)
  if (time !== undefined) return { at: time.until, from: time.from, written }
  const message = `${option}: expected a day such as 2026-10-01, or a moment such as 2026-10-01T08:00:00Z, got "${written}"`
  throw new CatalogueError('USAGE', message)
}

export function formatMoment(at: number): string {
  return new Date(at).toISOString()
}
