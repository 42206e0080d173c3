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
  const ofDay = (seconds - (days as i64) * 86_400) as u32
  const time = joinPairs(ofDay / 3600, (ofDay / 60) % 60, ofDay % 60, milliseconds / 10)
  const digits = toDigits(toDatePairs(days), time)
  v128.store(to, v128.shuffle<u8>(digits, signs, 0, 1, 2, 3, 16, 4, 5, 16, 6, 7, 17, 8, 9, 18, 10, 11))
  v128.store(to, v128.shuffle<u8>(digits, signs, 18, 12, 13, 19, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 16)
  if (milliseconds == 0) return put(to + 19, 0x5a)
  return put(put(to + 22, 0x30 + ((milliseconds % 10) as u8)), 0x5a)
}

/** Writes `2026-01-02`; up to 6 bytes behind it are overwritten too. */
export function formatDate(to: usize, days: i32): usize {
  const digits = toDigits(toDatePairs(days), 0)
  v128.store(to, v128.shuffle<u8>(digits, signs, 0, 1, 2, 3, 16, 4, 5, 16, 6, 7, 0, 0, 0, 0, 0, 0))
  return to + 10
}

/** The signs between the digits: `-`, `T`, `:` and `.`. */
const signs = i8x16(0x2d, 0x54, 0x3a, 0x2e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/**
 * Century, year, month and day, by the algorithm of Neri and Schneider (Euclidean affine functions, 2022): the calendar
 * begins its years in March, which puts the leap day at their end.
 */
function toDatePairs(days: i32): u64 {
  const quarters = 4 * ((days + 719_468) as u32) + 3
  const century = quarters / 146_097
  const ofCentury = (quarters % 146_097) | 3
  const product = (ofCentury as u64) * 2_939_745
  const dayOfYear = (product as u32) / 2_939_745 / 4
  const monthAndDay = dayOfYear * 2141 + 197_913
  const month = monthAndDay >> 16
  const isNextYear = dayOfYear >= 306
  const year = century * 100 + ((product >> 32) as u32) + (isNextYear as u32)
  return joinPairs(year / 100, year % 100, isNextYear ? month - 12 : month, (monthAndDay & 0xffff) / 2141 + 1)
}

/** Numbers below 100, of 16 bits each. */
@inline
function joinPairs(first: u32, second: u32, third: u32, fourth: u32): u64 {
  return ((first | (second << 16)) as u64) | (((third | (fourth << 16)) as u64) << 32)
}

/** The sixteen digits of eight numbers below 100. */
@inline
function toDigits(first: u64, second: u64): v128 {
  const pairs = i64x2.replace_lane(i64x2.splat(first), 1, second)
  const tens = i16x8.shr_u(i16x8.mul(pairs, i16x8.splat(103)), 10)
  const ones = i16x8.sub(pairs, i16x8.mul(tens, i16x8.splat(10)))
  return v128.or(v128.or(tens, i16x8.shl(ones, 8)), i8x16.splat(0x30))
}
