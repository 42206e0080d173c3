// The distinct values of a column with their counts, as long as they are few and short.
import {
  longestValue, mostDistinct, slotCount, stateDistinct, stateIsClosed, stateSlots, stateValues, valueBytes, valueLength, valueText,
  valueTimes,
} from '../../src/profile/state-layout'
import { copyBytes } from '../bytes'

const multiplier: u64 = 0x9e3779b97f4a7c15

/** The distinct value, counted once more; 0 where there is none yet. */
@inline
export function findValue(state: usize, address: usize, length: usize): usize {
  const head = headOf(address, length)
  const slots = state + stateSlots
  let slot = hashOf(head, address, length)
  for (let number: usize = 0; (number = load<u8>(slots + slot)) != 0; slot = (slot + 1) & (slotCount - 1)) {
    const value = state + (stateValues - valueBytes) + number * valueBytes
    if (load<u64>(value, valueText) != head || load<u32>(value, valueLength) != (length as u32)) continue
    if (length > 8 && !areEqual(value + valueText + 8, address + 8, length - 8)) continue
    addOne(value)
    return value
  }
  return 0
}

@inline
export function addOne(value: usize): void {
  store<u32>(value, load<u32>(value, valueTimes) + 1, valueTimes)
}

/** Enters a value that has not come before, once; 0, and the column counts none any more, where it is too long or one too many. */
export function addNew(state: usize, address: usize, length: usize): usize {
  const count = load<u32>(state, stateDistinct)
  if (length > (longestValue as usize) || count == mostDistinct) {
    store<u32>(state, 1, stateIsClosed)
    return 0
  }
  const head = headOf(address, length)
  const slots = state + stateSlots
  let slot = hashOf(head, address, length)
  while (load<u8>(slots + slot) != 0) slot = (slot + 1) & (slotCount - 1)
  store<u8>(slots + slot, count + 1)
  store<u32>(state, count + 1, stateDistinct)
  const value = state + stateValues + (count as usize) * valueBytes
  store<u32>(value, 1, valueTimes)
  store<u32>(value, length as u32, valueLength)
  // Whole steps of 16 bytes, for which there is room.
  copyBytes(value + valueText, address, length)
  store<u64>(value, head, valueText)
  return value
}

@inline
function headOf(address: usize, length: usize): u64 {
  const word = load<u64>(address)
  return length >= 8 ? word : word & (((1 as u64) << ((length as u64) << 3)) - 1)
}

@inline
function hashOf(head: u64, address: usize, length: usize): usize {
  const hash = (head + (length as u64)) * multiplier
  if (length <= 8) return (hash >> 56) as usize
  return (((rotl(hash, 29) ^ load<u64>(address + length - 8)) * multiplier) >> 56) as usize
}

function areEqual(one: usize, other: usize, length: usize): bool {
  for (; length > 8; length -= 8, one += 8, other += 8) if (load<u64>(one) != load<u64>(other)) return false
  return (load<u64>(one) ^ load<u64>(other)) << (64 - ((length as u64) << 3)) == 0
}
