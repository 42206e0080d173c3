import { firstDay, firstMillisecond, lastDay, lastMillisecond } from '../../src/contracts/year-range'
import { put } from '../bytes'

/** True for milliseconds since 1970 in the years 1 to 9999. */
@inline
export function isDateTime(milliseconds: i64): bool {
  return milliseconds >= firstMillisecond && milliseconds <= lastMillisecond
}

/** True for days since 1970 in the years 1 to 9999. */
@inline
export function isDay(days: i64): bool {
  return days >= firstDay && days <= lastDay
}

/** Writes `2026-01-02T03:04:05Z`, with three digits of milliseconds where there are any. */
export function formatTimestamp(to: usize, seconds: i64, milliseconds: i32): usize {
  // A day has 675 times 128 seconds: divided by 128 they fit into 32 bits, whose divisions are far cheaper.
  const fewer = (seconds >> 7) as i32
  const days = fewer / 675 - ((fewer % 675 < 0) as i32)
  const ofDay = (seconds - (days as i64) * 86_400) as i32
  to = put(formatDate(to, days), 0x54)
  to = put(putPair(to, ofDay / 3600), 0x3a)
  to = put(putPair(to, (ofDay / 60) % 60), 0x3a)
  to = putPair(to, ofDay % 60)
  if (milliseconds != 0) to = putPair(put(put(to, 0x2e), 0x30 + ((milliseconds / 100) as u8)), milliseconds % 100)
  return put(to, 0x5a)
}

/** Writes `2026-01-02`. The calendar begins its years in March, which puts the leap day at their end. */
export function formatDate(to: usize, days: i32): usize {
  const sinceYearZero = days + 719_468
  const era = sinceYearZero / 146_097
  const dayOfEra = sinceYearZero - era * 146_097
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  const dayOfYear = dayOfEra - 365 * yearOfEra - yearOfEra / 4 + yearOfEra / 100
  const monthFromMarch = (5 * dayOfYear + 2) / 153
  const day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  to = put(putPair(putPair(to, year / 100), year % 100), 0x2d)
  return putPair(put(putPair(to, month), 0x2d), day)
}

@inline
function putPair(to: usize, value: i32): usize {
  const tens = value / 10
  store<u16>(to, ((0x30 + tens) | ((0x30 + value - tens * 10) << 8)) as u16)
  return to + 2
}
