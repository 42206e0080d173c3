import { z } from 'zod'

/*
 * Numbers in a config. What comes from an environment variable is text, so text that is a number is one too.
 */

/** A whole number within bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const isBounded = most < Number.MAX_SAFE_INTEGER
  const bounds = isBounded ? ` from ${least} to ${most}` : `, ${least} or more`
  return z
    .union([z.number(), z.string()])
    .refine((value) => isWhole(value) && Number(value) >= least && Number(value) <= most, `a whole number${bounds}`)
    .meta({ minimum: least, ...(isBounded ? { maximum: most } : {}) })
    .transform(Number)
}

/** A length of time: seconds, or `500ms`, `30s`, `2m`, `1h`. Milliseconds once it is read. */
export const duration = z
  .union([z.number(), z.string()])
  .refine((value) => {
    const milliseconds = toMilliseconds(value)
    return milliseconds >= 1 && milliseconds <= longestMs
  }, 'a duration up to 24h, seconds or 500ms, 30s, 2m')
  .transform(toMilliseconds)

function isWhole(value: number | string): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : /^\d{1,15}$/.test(value)
}

/** NaN for what is no duration. */
function toMilliseconds(value: number | string): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(String(value)) ?? []
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * millisecondsIn[unit as DurationUnit])
}

type DurationUnit = keyof typeof millisecondsIn
const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const longestMs = 24 * millisecondsIn.h
