import { z } from 'zod'
import { buildOnce } from '../contracts/build-once.ts'
import { lastSecond } from '../contracts/year-range.ts'
import { errorText } from './request-issues.ts'

/** For people: every form of a date-time. */
export const dateTimeAccepts =
  'a date-time (unix seconds, 2026-01-31, 2026-01-31T08:00:00Z, or relative to now: -7d, -24h, -30m)'

const relative = /^([+-])(\d{1,6})([mhd])$/
const isoText = new RegExp(
  `${z.core.regexes.date.source.slice(0, -1)}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?$`,
)
/** Unix seconds as text, which is what an environment variable gives; with fewer digits it may be meant for a date. */
const secondsText = /^\d{9,12}$/
const zone = /(?:Z|[+-]\d\d:\d\d)$/
const secondsIn = { m: 60, h: 3600, d: 86_400 } as const
const error = errorText(dateTimeAccepts)

/** A date-time as a config writes it. A date is its first second; without a zone it is UTC. */
export const dateTime = buildOnce(() =>
  z.union(
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
  ),
)

export type DateTime = z.input<ReturnType<typeof dateTime>>

/** A checked date-time in whole unix seconds, at least 0: nothing in the catalogue is older than 1970. */
export function toUnixSeconds(value: DateTime, now: Date): number {
  const seconds = typeof value === 'number' ? value : (toRelativeSeconds(value, now) ?? toFixedSeconds(value))
  return Math.min(Math.max(Math.floor(seconds), 0), lastSecond)
}

function toRelativeSeconds(text: string, now: Date): number | undefined {
  const [, sign, amount, unit] = relative.exec(text) ?? []
  if (amount === undefined) return undefined
  const seconds = Number(amount) * secondsIn[unit as keyof typeof secondsIn]
  return now.getTime() / 1000 + (sign === '-' ? -seconds : seconds)
}

function toFixedSeconds(text: string): number {
  if (secondsText.test(text)) return Number(text)
  const dateTimeText = text.includes('T') ? text : `${text}T00:00`
  return Date.parse(zone.test(dateTimeText) ? dateTimeText : `${dateTimeText}Z`) / 1000
}
