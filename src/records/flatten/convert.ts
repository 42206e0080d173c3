import { firstDay, firstMillisecond, lastDay, lastMillisecond } from '../../contracts/year-range.ts'
import { isWrittenExactly, survivesAsFloat } from '../../contracts/exact-number.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import { formatJson } from '../json/json-text.ts'
import type { ColumnType, Scalar } from './column.ts'
import { compileLocalDay } from './time-zone.ts'

/** Turns a canonical value into a cell; `undefined` means that it can't be done without loss. */
export type Convert = (value: unknown) => Scalar | undefined

/**
 * The conversion from a field's type to a column's type. Empty text becomes null in every column but text and json.
 * `unitScale` is how many decimals the delivered whole number has: 2 for cents. `timezone` is that of dates.
 */
export function compileConversion(from: ScalarType | 'json', to: ColumnType, unitScale = 0, timezone = 'UTC'): Convert {
  const convert = conversion(from, to, unitScale, timezone)
  const emptyIsNull = to.kind !== 'text' && to.kind !== 'json'
  return (value) => {
    if (value === null || value === undefined || (emptyIsNull && value === '')) return null
    return convert(value)
  }
}

function conversion(from: ScalarType | 'json', to: ColumnType, unitScale: number, timezone: string): Convert {
  switch (to.kind) {
    case 'text':
      return from === 'timestamp' ? secondsToIso : from === 'json' ? toJsonText : toText
    case 'integer':
      return toInteger
    case 'float':
      return unitScale === 0 ? toFloat : (value) => toScaledFloat(value, unitScale)
    case 'boolean':
      return toBoolean
    case 'timestamp':
      return toMilliseconds
    case 'date':
      return compileDays(timezone)
    case 'decimal':
      return (value) => toUnscaled(value, to.precision, to.scale, unitScale)
    case 'json':
      return toJsonText
  }
}

function toText(value: unknown): string | undefined {
  if (isUnclear(value)) return undefined
  return typeof value === 'string' ? value : isNumeric(value) || typeof value === 'boolean' ? String(value) : undefined
}

function secondsToIso(value: unknown): string | undefined {
  return typeof value === 'number' ? new Date(value * 1000).toISOString().replace('.000Z', 'Z') : undefined
}

function toInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value as number | bigint
  if (typeof value !== 'string' || !wholeNumber.test(value)) return undefined
  const exact = BigInt(value)
  if (BigInt.asIntN(64, exact) !== exact) return undefined
  const number = Number(exact)
  return Number.isSafeInteger(number) ? number : exact
}

/** The float of a number that survives as one; a whole number only where a float holds it exactly. */
function toFloat(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : undefined
  if (typeof value !== 'string' || !decimalNumber.test(value)) return undefined
  if (wholeNumber.test(value)) return toFloat(BigInt(value))
  return survivesAsFloat(value.replace(/^\+/, '')) ? Number(value) : undefined
}

/** The float nearest to the value with its point moved to the left: one rounding, as its digits are never divided. */
function toScaledFloat(value: unknown, unitScale: number): number | undefined {
  const whole = toFloat(value)
  if (whole === undefined) return undefined
  const [, digits = '', exponent = '0'] = /^([^eE]+)(?:[eE](.+))?$/.exec(String(value)) ?? []
  return Number(`${digits}e${Number(exponent) - unitScale}`)
}

/** `unknown` is null; other words are no booleans. */
function toBoolean(value: unknown): boolean | null | undefined {
  switch (value) {
    case true:
    case 1:
    case '1':
    case 'true':
    case 'yes':
      return true
    case false:
    case 0:
    case '0':
    case 'false':
    case 'no':
      return false
    case 'unknown':
      return null
    default:
      return undefined
  }
}

/** Numbers are unix seconds; text is ISO 8601. Only the years 1 to 9999, which every reader of the outputs knows. */
function toMilliseconds(value: unknown): number | undefined {
  const milliseconds = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? parseIsoDate(value) : NaN
  return milliseconds >= firstMillisecond && milliseconds <= lastMillisecond ? milliseconds : undefined
}

/** The day of a time in the time zone; text that is a day without a time is that day. Only the years 1 to 9999. */
function compileDays(timezone: string): Convert {
  const toLocalDay = compileLocalDay(timezone)
  return (value) => {
    const milliseconds = toMilliseconds(value)
    if (milliseconds === undefined) return undefined
    if (typeof value === 'string' && value.length === dayLength) return milliseconds / dayMs
    const day = toLocalDay(milliseconds)
    return day >= firstDay && day <= lastDay ? day : undefined
  }
}

/** The unscaled integer of the value with `scale` decimals; undefined where digits would be lost. */
function toUnscaled(value: unknown, precision: number, scale: number, unitScale: number): number | bigint | undefined {
  if (isUnclear(value)) return undefined
  const text = isNumeric(value) ? String(value) : typeof value === 'string' ? value : ''
  const match = decimalNumber.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = scale - unitScale - fraction.length + Number(exponent)
  if (Math.abs(shift) > 400) return undefined
  const unscaled = shift >= 0 ? digits * 10n ** BigInt(shift) : dividedExactly(digits, 10n ** BigInt(-shift))
  if (unscaled === undefined || unscaled >= 10n ** BigInt(precision)) return undefined
  const signed = sign === '-' ? -unscaled : unscaled
  const number = Number(signed)
  return Number.isSafeInteger(number) ? number : signed
}

function dividedExactly(digits: bigint, divisor: bigint): bigint | undefined {
  return digits % divisor === 0n ? digits / divisor : undefined
}

/** Undefined for what is nested too deep to be written. */
function toJsonText(value: unknown): string | undefined {
  if (isUnclear(value)) return undefined
  try {
    return formatJson(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A float that several whole numbers are rounded to: the delivered one is not known any more. */
function isUnclear(value: unknown): boolean {
  return typeof value === 'number' && !isWrittenExactly(value)
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

const dayMs = 86_400_000
/** The length of `2026-01-02`. */
const dayLength = 10
const wholeNumber = /^[+-]?\d{1,19}$/
const decimalNumber = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Milliseconds since 1970 UTC of an ISO 8601 date (midnight UTC) or of a date and time with its offset; NaN for text that is
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
