import { firstDay, firstMillisecond, lastDay, lastMillisecond } from '../contracts/year-range.ts'
import type { ColumnType, Scalar } from '../records/flatten/column.ts'

/**
 * The text of a scalar that is not null, without loss: text and json as they are, timestamps as `2026-01-02T03:04:05Z`
 * (with three digits of milliseconds where there are any), dates as `2026-01-02`, decimals with exactly `scale` digits
 * behind the point, floats in the shortest notation that reads back as the same number.
 */
export function compileFormat(type: ColumnType): (value: Scalar) => string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return (value) => value as string
    case 'integer':
    case 'float':
    case 'boolean':
      return String
    case 'timestamp':
      return (value) => formatTimestamp(value as number)
    case 'date':
      return (value) => formatDate(value as number)
    case 'decimal':
      return (value) => formatDecimal(value as number | bigint, type.scale)
  }
}

/**
 * Milliseconds since 1970 UTC as ISO 8601. By arithmetic, which is six times as fast as `toISOString`. Outside the
 * years 1 to 9999 `toISOString` writes the longer years of ISO 8601, and throws a RangeError for an invalid date.
 */
function formatTimestamp(milliseconds: number): string {
  if (!(milliseconds >= firstMillisecond && milliseconds <= lastMillisecond)) {
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

/** Days since 1970 as ISO 8601. The calendar begins its years in March, which puts the leap day at their end. */
function formatDate(days: number): string {
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

/** Whole division of what fits into 32 bits. With `Math.trunc` a timestamp takes half as long again. */
function divide(dividend: number, divisor: number): number {
  return (dividend / divisor) | 0
}

function formatDecimal(unscaled: number | bigint, scale: number): string {
  const text = String(unscaled)
  if (scale === 0) return text
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const millisecondsADay = 86_400_000
const zero = 48
const dash = 45
const colon = 58
const letterT = 84
