// The distinct values of a column with their counts, as long as they are few and short.
import {
  longestValue, mostDistinct, slotCount, stateDistinct, stateIsClosed, stateLast, stateSlots, stateValues, valueBytes, valueLength,
  valueText, valueTimes,
} from '../../src/profile/state-layout'
import { copyBytes } from '../bytes'

const multiplier: u64 = 0x9e3779b97f4a7c15

export const counted: i32 = 0
export const isNew: i32 = 1
export const isTooMuch: i32 = 2

/** Counts a value. After `isTooMuch` the column counts none any more. */
@inline
export function countValue(state: usize, address: usize, length: usize): i32 {
  // Neighbours are often the same.
  const last = load<u32>(state, stateLast) as usize
  if (last != 0 && isValue(last, address, length)) return addOne(last)
  return findValue(state, address, length)
}

function findValue(state: usize, address: usize, length: usize): i32 {
  if (length > (longestValue as usize)) return giveUp(state)
  const slots = state + stateSlots
  let slot = hashOf(address, length) & (slotCount - 1)
  for (let number: u32 = 0; (number = load<u8>(slots + slot)) != 0; slot = (slot + 1) & (slotCount - 1)) {
    const value = state + stateValues + ((number - 1) as usize) * valueBytes
    if (!isValue(value, address, length)) continue
    store<u32>(state, value as u32, stateLast)
    return addOne(value)
  }
  const count = load<u32>(state, stateDistinct)
  if (count == mostDistinct) return giveUp(state)
  store<u8>(slots + slot, count + 1)
  store<u32>(state, count + 1, stateDistinct)
  const value = state + stateValues + (count as usize) * valueBytes
  store<u32>(value, 1, valueTimes)
  store<u32>(value, length as u32, valueLength)
  // Whole steps of 16 bytes, for which there is room.
  copyBytes(value + valueText, address, length)
  store<u32>(state, value as u32, stateLast)
  return isNew
}

@inline
function addOne(value: usize): i32 {
  store<u32>(value, load<u32>(value, valueTimes) + 1, valueTimes)
  return counted
}

function giveUp(state: usize): i32 {
  store<u32>(state, 1, stateIsClosed)
  return isTooMuch
}

@inline
function isValue(value: usize, address: usize, length: usize): bool {
  if (load<u32>(value, valueLength) != (length as u32)) return false
  return areEqual(value + valueText, address, length)
}

@inline
function areEqual(one: usize, other: usize, length: usize): bool {
  for (; length > 8; length -= 8, one += 8, other += 8) if (load<u64>(one) != load<u64>(other)) return false
  return length == 0 || (load<u64>(one) ^ load<u64>(other)) << (64 - ((length as u64) << 3)) == 0
}

@inline
function hashOf(address: usize, length: usize): usize {
  let hash = (length as u64) * multiplier
  for (; length > 8; length -= 8, address += 8) hash = rotl(hash ^ load<u64>(address), 29) * multiplier
  // The bytes read behind the end are shifted out.
  if (length > 0) hash = (hash ^ (load<u64>(address) << (64 - ((length as u64) << 3)))) * multiplier
  return (hash >> 40) as usize
}
