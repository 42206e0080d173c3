import { types } from 'node:util'
import { firstDay, firstMillisecond, lastDay, lastMillisecond } from '../contracts/year-range.ts'
import type { Convert, Scalar } from './column-type-definition.ts'

/** Converts unix seconds, or ISO 8601 text. Only the years 1 to 9999, which all readers of the outputs support. */
export function toMilliseconds(value: unknown): number | undefined {
  const milliseconds = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? parseIsoDate(value) : NaN
  return isWithinYears(milliseconds) ? milliseconds : undefined
}

export function isWithinYears(milliseconds: number): boolean {
  return milliseconds >= firstMillisecond && milliseconds <= lastMillisecond
}

/**
 * The milliseconds since 1970 UTC of an ISO 8601 date (midnight UTC) or of a date and time with offset. NaN for other
 * text, for a day that the calendar does not have, and for a time finer than a millisecond.
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

/**
 * Formats milliseconds since 1970 UTC as ISO 8601, by arithmetic, which is six times as fast as `toISOString`. Outside
 * the years 1 to 9999 `toISOString` writes the longer years of ISO 8601, and throws a RangeError for an invalid date.
 */
export function formatTimestamp(milliseconds: number): string {
  if (!isWithinYears(milliseconds)) {
    return new Date(milliseconds).toISOString().replace('.000Z', 'Z')
  }
  const days = Math.floor(milliseconds / millisecondsADay)
  const ofDay = milliseconds - days * millisecondsADay
  const seconds = divide(ofDay, 1000)
  return formatDate(days) + formatTime(seconds) + formatFraction(ofDay - seconds * 1000)
}

function formatTime(seconds: number): string {
  const hour = divide(seconds, 3600)
  const minute = divide(seconds, 60) % 60
  const second = seconds % 60
  return String.fromCharCode(
    letterT,
    zero + divide(hour, 10),
    zero + (hour % 10),
    colon,
    zero + divide(minute, 10),
    zero + (minute % 10),
    colon,
    zero + divide(second, 10),
    zero + (second % 10),
  )
}

function formatFraction(milliseconds: number): string {
  return milliseconds === 0 ? 'Z' : `.${String(milliseconds).padStart(3, '0')}Z`
}

/** Formats days since 1970 as ISO 8601. Years begin in March here, which puts the leap day at their end. */
export function formatDate(days: number): string {
  if (!(days >= firstDay && days <= lastDay)) return new Date(days * millisecondsADay).toISOString().replace(/T.*/, '')
  const sinceYearZero = days + 719_468
  const era = Math.floor(sinceYearZero / 146_097)
  const dayOfEra = sinceYearZero - era * 146_097
  const leapDays = divide(dayOfEra, 1460) - divide(dayOfEra, 36_524) + divide(dayOfEra, 146_096)
  const yearOfEra = divide(dayOfEra - leapDays, 365)
  const dayOfYear = dayOfEra - 365 * yearOfEra - divide(yearOfEra, 4) + divide(yearOfEra, 100)
  const monthFromMarch = divide(5 * dayOfYear + 2, 153)
  const day = dayOfYear - divide(153 * monthFromMarch + 2, 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return String.fromCharCode(
    zero + divide(year, 1000),
    zero + (divide(year, 100) % 10),
    zero + (divide(year, 10) % 10),
    zero + (year % 10),
    dash,
    zero + divide(month, 10),
    zero + (month % 10),
    dash,
    zero + divide(day, 10),
    zero + (day % 10),
  )
}

/** Divides 32-bit integers. With `Math.trunc` a timestamp takes half as long again. */
function divide(dividend: number, divisor: number): number {
  return (dividend / divisor) | 0
}

export const millisecondsADay = 86_400_000
const zero = 48
const dash = 45
const colon = 58
const letterT = 84

/**
 * Converts a Date or text of a row; undefined for other text, and for a number, which may count seconds or
 * milliseconds.
 */
export function readRowTime(value: unknown, convert: Convert): Scalar | undefined {
  if (types.isDate(value)) return isWithinYears(value.getTime()) ? value.getTime() : undefined
  return typeof value === 'number' ? undefined : convert(value)
}

/**
 * The day number in sheets, counted from the end of 1899. Null before 1 March 1900, as their calendar has a 29 February
 * 1900.
 */
export function toSheetDay(days: number): string | null {
  const serial = days + 25_569
  return serial >= 61 ? String(serial) : null
}
