import { z } from 'zod'
import { lastSecond } from '../../contracts/year-range.ts'
import { readTime, type TimeSpan } from '../../records/conditions/time-span.ts'
import { errorText } from './request-issues.ts'

export const dateTimeAccepts =
  'a date-time (unix seconds, 2026-01-31, 2026-01-31T08:00:00Z, or relative to now: -7d, -24h, -30m)'

const relative = /^([+-])(\d{1,6})([mhd])$/
const isoText = new RegExp(
  `${z.core.regexes.date.source.slice(0, -1)}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?$`,
)
/** Unix seconds as text, as environment variables give them; with fewer digits, the text may be meant as a date. */
const secondsText = /^\d{9,12}$/
const zone = /(?:Z|[+-]\d\d:\d\d)$/
const secondsIn = { m: 60, h: 3600, d: 86_400 } as const
const error = errorText(dateTimeAccepts)

let schema: ReturnType<typeof buildDateTime> | undefined

/** A date-time as a config writes it. A time without a zone is in UTC. Built at the first call: few runs need it. */
export function dateTime() {
  return (schema ??= buildDateTime())
}

function buildDateTime() {
  return z.union(
    [
      z.int(error).min(0, error).max(lastSecond, error),
      z.iso.date(error),
      z.string().regex(isoText, error),
      z.string().regex(relative, error),
      z
        .string()
        .regex(secondsText, error)
        .refine((text) => Number(text) <= lastSecond, error),
    ],
    error,
  )
}

export type DateTime = z.input<ReturnType<typeof dateTime>>

/** The time that relative date-times count from, and the time zone of days, UTC by default. */
export interface RequestClock {
  readonly now: Date
  readonly timezone?: string | undefined
}

/**
 * A checked date-time in whole unix seconds; the first second of a day. At least 0: nothing in the catalogue is older
 * than 1970.
 */
export function toUnixSeconds(value: DateTime, clock: RequestClock): number {
  return toSecondsSpan(value, clock).from
}

/** A checked date-time as the end of a range; the last second of a day. */
export function toLastUnixSecond(value: DateTime, clock: RequestClock): number {
  return toSecondsSpan(value, clock).until
}

function toSecondsSpan(value: DateTime, { now, timezone = 'UTC' }: RequestClock): TimeSpan {
  const day = typeof value === 'string' && isoDay.test(value) ? readTime(value, timezone) : undefined
  if (day !== undefined) return { from: toWhole(day.from / 1000), until: toWhole(day.until / 1000) }
  const seconds = toWhole(typeof value === 'number' ? value : (toRelativeSeconds(value, now) ?? toFixedSeconds(value)))
  return { from: seconds, until: seconds }
}

function toWhole(seconds: number): number {
  return Math.min(Math.max(Math.floor(seconds), 0), lastSecond)
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/

function toRelativeSeconds(text: string, now: Date): number | undefined {
  const [, sign, amount, unit] = relative.exec(text) ?? []
  if (amount === undefined) return undefined
  const seconds = Number(amount) * secondsIn[unit as keyof typeof secondsIn]
  return now.getTime() / 1000 + (sign === '-' ? -seconds : seconds)
}

function toFixedSeconds(text: string): number {
  if (secondsText.test(text)) return Number(text)
  return Date.parse(zone.test(text) ? text : `${text}Z`) / 1000
}
