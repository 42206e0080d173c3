// The distinct values of a column with their counts, as long as they are few and short.
import {
  longestValue, mostDistinct, slotCount, stateDistinct, stateIsClosed, stateSlots, stateTexts, stateValues, valueBytes, valueHead,
  valueLength, valueTail, valueTimes,
} from '../../src/kernel/profile/state-layout'
import { copyBytes } from '../bytes'

const multiplier: u64 = 0x9e3779b97f4a7c15

/** The distinct value, counted once more; 0 where there is none yet. */
@inline
export function findValue(state: usize, address: usize, length: usize): usize {
  const head = headOf(address, length)
  const tail = tailOf(address, length)
  const slots = state + stateSlots
  let slot = hashOf(head, tail, length)
  for (let number: usize = 0; (number = load<u8>(slots + slot)) != 0; slot = (slot + 1) & (slotCount - 1)) {
    const value = state + (stateValues - valueBytes) + number * valueBytes
    if (load<u64>(value, valueHead) != head || load<u64>(value, valueTail) != tail) continue
    if (load<u32>(value, valueLength) != (length as u32)) continue
    // Up to 16 bytes are in the first and the last eight.
    if (length > 16 && !areEqual(textOf(state, number), address, length - 8)) continue
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
  const number: usize = load<u32>(state, stateDistinct) + 1
  if (length > (longestValue as usize) || number > (mostDistinct as usize)) {
    store<u32>(state, 1, stateIsClosed)
    return 0
  }
  const head = headOf(address, length)
  const tail = tailOf(address, length)
  const slots = state + stateSlots
  let slot = hashOf(head, tail, length)
  while (load<u8>(slots + slot) != 0) slot = (slot + 1) & (slotCount - 1)
  store<u8>(slots + slot, number as u8)
  store<u32>(state, number as u32, stateDistinct)
  const value = state + (stateValues - valueBytes) + number * valueBytes
  store<u64>(value, head, valueHead)
  store<u64>(value, tail, valueTail)
  store<u32>(value, 1, valueTimes)
  store<u32>(value, length as u32, valueLength)
  // Whole steps of 16 bytes, for which there is room.
  copyBytes(textOf(state, number), address, length)
  return value
}

@inline
function textOf(state: usize, number: usize): usize {
  return state + (stateTexts - longestValue) + number * longestValue
}

@inline
function headOf(address: usize, length: usize): u64 {
  const word = load<u64>(address)
  return length >= 8 ? word : word & (((1 as u64) << ((length as u64) << 3)) - 1)
}

@inline
function tailOf(address: usize, length: usize): u64 {
  return length > 8 ? load<u64>(address + length - 8) : 0
}

@inline
function hashOf(head: u64, tail: u64, length: usize): usize {
  return (((rotl((head + (length as u64)) * multiplier, 29) ^ tail) * multiplier) >> 56) as usize
}

/** Compares in steps of eight bytes; the last goes up to seven bytes beyond the length. */
function areEqual(one: usize, other: usize, length: usize): bool {
  for (let at: usize = 8; at < length; at += 8) if (load<u64>(one + at) != load<u64>(other + at)) return false
  return true
}
