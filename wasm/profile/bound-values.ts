// The least and the greatest value of a column, and its longest text.
import {
  longestBound, stateIsBounded, stateLongest, stateMax, stateMaxKey, stateMaxLength, stateMin, stateMinKey, stateMinLength,
  statePrefix,
} from '../../src/kernel/profile/state-layout'
import { parseFloat64, parseInteger } from '../parse-number'

/** Whole numbers with more digits have the first or the last of all keys. */
const mostDigits: usize = 18

/** Compares the whole text with the bounds, where its key does not say that it is between them. */
export function boundText(state: usize, address: usize, length: usize): void {
  // No text has more characters than bytes.
  if (length > (load<u32>(state, stateLongest) as usize)) measure(state, address, length)
  length = min<usize>(length, longestBound)
  if (isFirst(state)) beginBounds(state, address, length, 0)
  else if (compareBytes(address, length, state + stateMin, load<u32>(state, stateMinLength)) < 0) {
    keepMin(state, address, length)
  } else if (compareBytes(address, length, state + stateMax, load<u32>(state, stateMaxLength)) > 0) {
    keepMax(state, address, length)
  } else return
  setTextKeys(state)
}

/** The eight bytes behind the words that the least and the greatest text have in common. */
function setTextKeys(state: usize): void {
  const least: usize = load<u32>(state, stateMinLength)
  const greatest: usize = load<u32>(state, stateMaxLength)
  const common = min(least, greatest)
  let prefix: usize = 0
  while (prefix + 16 <= common && load<u64>(state + stateMin + prefix) == load<u64>(state + stateMax + prefix)) prefix += 8
  store<u32>(state, prefix as u32, statePrefix)
  store<u64>(state, headOf(state + stateMin + prefix, least - prefix), stateMinKey)
  store<u64>(state, headOf(state + stateMax + prefix, greatest - prefix), stateMaxKey)
}

@inline
export function areEqual(one: usize, other: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at += 8) if (load<u64>(one + at) != load<u64>(other + at)) return false
  return true
}

/** Compares a whole number of any length with the bounds; its key is that of `keyOf`. */
export function boundInteger(state: usize, address: usize, length: usize, key: i64): void {
  if (isFirst(state)) return beginBounds(state, address, length, key as u64)
  const least = load<i64>(state, stateMinKey)
  const greatest = load<i64>(state, stateMaxKey)
  if (key < least || (key == least && compareDigits(address, length, state + stateMin, load<u32>(state, stateMinLength)) < 0)) {
    store<i64>(state, key, stateMinKey)
    keepMin(state, address, length)
  }
  if (key > greatest || (key == greatest && compareDigits(address, length, state + stateMax, load<u32>(state, stateMaxLength)) > 0)) {
    store<i64>(state, key, stateMaxKey)
    keepMax(state, address, length)
  }
}

export function boundFloat(state: usize, address: usize, length: usize): void {
  const value = parseFloat64(address, length)
  if (isFirst(state)) return beginBounds(state, address, length, reinterpret<u64>(value))
  if (value < load<f64>(state, stateMinKey)) {
    store<f64>(state, value, stateMinKey)
    keepMin(state, address, length)
  }
  if (value > load<f64>(state, stateMaxKey)) {
    store<f64>(state, value, stateMaxKey)
    keepMax(state, address, length)
  }
}

@inline
function isFirst(state: usize): bool {
  return load<u32>(state, stateIsBounded) == 0
}

function beginBounds(state: usize, address: usize, length: usize, key: u64): void {
  store<u32>(state, 1, stateIsBounded)
  store<u64>(state, key, stateMinKey)
  store<u64>(state, key, stateMaxKey)
  keepMin(state, address, length)
  keepMax(state, address, length)
}

function keepMin(state: usize, address: usize, length: usize): void {
  memory.copy(state + stateMin, address, length)
  store<u32>(state, length as u32, stateMinLength)
}

function keepMax(state: usize, address: usize, length: usize): void {
  memory.copy(state + stateMax, address, length)
  store<u32>(state, length as u32, stateMaxLength)
}

/** Counts the bytes that begin a character: all but those of the form 10xxxxxx. */
function measure(state: usize, address: usize, length: usize): void {
  let characters: u32 = 0
  const end = address + length
  for (; address + 16 <= end; address += 16) {
    characters += popcnt(i8x16.bitmask(i8x16.gt_s(v128.load(address), i8x16.splat(-65))))
  }
  for (; address < end; address++) characters += ((load<i8>(address) as i32) > -65) as u32
  if (characters > load<u32>(state, stateLongest)) store<u32>(state, characters, stateLongest)
}

/** The first eight bytes as a number of the same order, with zeros for those that are not there. */
@inline
export function headOf(address: usize, length: usize): u64 {
  if (length == 0) return 0
  const head = bswap(load<u64>(address))
  return length >= 8 ? head : (head >> (64 - ((length as u64) << 3))) << (64 - ((length as u64) << 3))
}

function compareBytes(one: usize, oneLength: usize, other: usize, otherLength: usize): i32 {
  const common = min(oneLength, otherLength)
  let at: usize = 0
  for (; at + 8 <= common; at += 8) {
    const first = load<u64>(one + at)
    const second = load<u64>(other + at)
    if (first != second) return bswap(first) < bswap(second) ? -1 : 1
  }
  for (; at < common; at++) {
    const difference = (load<u8>(one + at) as i32) - (load<u8>(other + at) as i32)
    if (difference != 0) return difference
  }
  return (oneLength as i32) - (otherLength as i32)
}

/** The number itself, or the first or the last of all keys. */
@inline
export function keyOf(address: usize, length: usize): i64 {
  const isNegative = load<u8>(address) == 0x2d
  if (length - (isNegative as usize) <= mostDigits) return parseInteger(address, length)
  return isNegative ? i64.MIN_VALUE : i64.MAX_VALUE
}

/** Numbers of the same sign, without zeros before them. */
function compareDigits(one: usize, oneLength: usize, other: usize, otherLength: usize): i32 {
  const order = oneLength != otherLength ? (oneLength as i32) - (otherLength as i32) : memory.compare(one, other, oneLength)
  return load<u8>(one) == 0x2d ? -order : order
}
