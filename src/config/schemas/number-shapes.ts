import { z } from 'zod'

/*
 * Numbers in a config. What comes from an environment variable is text, so text that is a number is one too.
 */

/** A whole number, 1 or more. */
export const count = z
  .union([
    z.int().min(1),
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .transform(Number),
  ])
  .describe('A whole number, 1 or more')

/** One for all: making a schema takes a share of a small run. */
const numberOrText = z.union([z.number(), z.string()])

/** A whole number within bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const isBounded = most < Number.MAX_SAFE_INTEGER
  const bounds = isBounded ? ` from ${least} to ${most}` : `, ${least} or more`
  return numberOrText
    .refine((value) => isWhole(value) && Number(value) >= least && Number(value) <= most, `a whole number${bounds}`)
    .meta({ minimum: least, ...(isBounded ? { maximum: most } : {}) })
    .transform(Number)
}

/** A length of time: seconds, or `500ms`, `30s`, `2m`, `1h`. Milliseconds once it is read. */
export const duration = lengthOfTime(1, 24 * 3_600_000, 'a duration up to 24h, seconds or 500ms, 30s, 2m')

/** A length of time that may be 0, and may be days. Milliseconds once it is read. */
export const span = lengthOfTime(0, 3660 * 86_400_000, 'a duration up to 3660d, seconds or 30m, 1h, 7d')

/** `256MB`, `1.5GB`, `64KiB`, or bytes. */
export const byteSize = numberOrText
  .refine((value) => toBytes(value) >= 1, 'a size of at least 1 byte, bytes or 500kB, 256MB, 1GB')
  .transform(toBytes)

function lengthOfTime(leastMs: number, mostMs: number, expected: string) {
  return numberOrText
    .refine((value) => {
      const milliseconds = toMilliseconds(value)
      return milliseconds >= leastMs && milliseconds <= mostMs
    }, expected)
    .transform(toMilliseconds)
}

/** NaN for anything but a size. */
function toBytes(value: number | string): number {
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kKMGT]i?)?B?$/.exec(String(value)) ?? []
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * (bytesIn[unit.toLowerCase()] ?? 1))
}

const bytesIn: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
}

function isWhole(value: number | string): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : /^\d{1,15}$/.test(value)
}

/** NaN for anything but a duration. */
function toMilliseconds(value: number | string): number {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(String(value)) ?? []
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * millisecondsIn[unit as DurationUnit])
}

type DurationUnit = keyof typeof millisecondsIn
export const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
