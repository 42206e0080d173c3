// Keys that an object has twice, for trees that refuse them wherever they stand: a stack of the keys of the objects that are open.
import { metKeys, mostKeysMet } from '../../src/scan/program/node-layout'
import { keysMet } from './walk-cells'
import { hasEscape } from './walk-text'
import { at, token } from './walk-tokens'

/** More members take too long to compare. */
const mostMembers: usize = 1024

/** How many keys are on the stack: a tag of 16 bits each, and behind all tags the addresses. */
let keyCount: usize = 0

/** Another line begins. */
export function forgetKeys(): void {
  keyCount = 0
}

/** The number of the first key of an object that is entered now. That of the record is 0. */
@inline
export function openKeys(): usize {
  return keyCount
}

/** The object that has its keys from there on is left. */
@inline
export function closeKeys(first: usize): void {
  keyCount = first
}

/** Whether the key at `t` in the index surely is none of those of its object: then it is one from now on. */
export function isNewKey(first: usize, t: usize): bool {
  const key = token(t), close = token(t + 4)
  if (hasEscape(close) || keyCount - first >= mostMembers || keyCount == mostKeysMet) return false
  const tag = tagOf(key, close)
  const tags = i16x8.splat(tag as i16)
  for (let number = first; number < keyCount; number += 8) {
    const equal = i16x8.bitmask(i16x8.eq(v128.load(keysMet + (number << 1)), tags))
    if (equal != 0 && isAmong(number, equal, key, close - key + 1)) return false
  }
  store<u16>(keysMet + (keyCount << 1), tag as u16)
  store<u32>(keysMet + metKeys + (keyCount << 2), key as u32)
  keyCount++
  return true
}

/** With both quotes, between which a key may be empty. */
function isAmong(first: usize, equal: u32, key: usize, length: usize): bool {
  for (; equal != 0; equal &= equal - 1) {
    const number = first + (ctz(equal) as usize)
    if (number < keyCount && memory.compare(load<u32>(keysMet + metKeys + (number << 2)) as usize, key, length) == 0) return true
  }
  return false
}

@inline
function tagOf(key: usize, close: usize): u32 {
  const length = close - key
  return ((length as u32) * 0x9d) ^ (at(key + 1) << 8) ^ (at(key + (length >> 1) + 1) << 4) ^ (at(close - 1) << 2)
}
