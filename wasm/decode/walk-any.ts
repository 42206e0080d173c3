// Values of no column and no contract: checked to be JSON, and skipped.
import { skipValue } from './json-raw'
import { keepsJson } from './walk-cells'
import { floatEnd, keptFloatEnd } from './walk-numbers'
import { checkEscapes, hasEscape } from './walk-text'
import { at, endAt, isBlank, isDigit, skipBlanks, token, walkNull } from './walk-tokens'

/** Deeper values are left to the reference path, which knows how deep is too deep. */
const deepest: u32 = 64

/** Returns the structural character behind the value, in the index; 0 where it is no JSON. */
export function walkAny(t: usize, p: usize, depth: u32): usize {
  switch (at(p)) {
    case 0x22: return walkAnyText(t)
    case 0x7b: return depth < deepest ? walkMembers(t, p, depth + 1) : 0
    case 0x5b: return depth < deepest ? walkElements(t, p, depth + 1) : 0
    case 0x6e: return walkNull(t, p)
    case 0x74: return load<u32>(p) == 0x65757274 ? endAt(t, p + 4) : 0
    case 0x66: return load<u32>(p + 1) == 0x65736c61 ? endAt(t, p + 5) : 0
    default: return walkNumber(t, p)
  }
}

function walkAnyText(t: usize): usize {
  const close = token(t + 4)
  return checkEscapes(close) ? endAt(t + 8, close + 1) : 0
}

function walkMembers(t: usize, p: usize, depth: u32): usize {
  t += 4
  if (at(token(t)) == 0x7d) return isBlank(p + 1, token(t)) ? endAt(t + 4, token(t) + 1) : 0
  const first = t
  let end = p
  do {
    if (at(token(t)) != 0x22 || !isBlank(end + 1, token(t)) || (keepsJson && !isPlainKey(first, t))) return 0
    t = walkAnyText(t)
    if (t == 0 || at(token(t)) != 0x3a) return 0
    t = walkAny(t + 4, skipBlanks(token(t) + 1), depth)
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  return at(end) == 0x7d ? endAt(t, end + 1) : 0
}

/** True where JavaScript keeps the key where it is: it is no number, not `__proto__`, and has not come before. */
function isPlainKey(first: usize, t: usize): bool {
  const key = token(t), length = token(t + 4) - key
  if (hasEscape(token(t + 4)) || isDigit(at(key + 1)) || at(key + 1) == 0x5f) return false
  for (let other = first; other < t; ) {
    if (token(other + 4) - token(other) == length && memory.compare(token(other), key, length) == 0) return false
    // The comma follows the value.
    other = skipValue(other + 12, skipBlanks(token(other + 8) + 1)) + 4
  }
  return true
}

function walkElements(t: usize, p: usize, depth: u32): usize {
  t += 4
  if (at(token(t)) == 0x5d && isBlank(p + 1, token(t))) return endAt(t + 4, token(t) + 1)
  let end = p
  do {
    t = walkAny(t, skipBlanks(end + 1), depth)
    if (t == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  return at(end) == 0x5d ? endAt(t, end + 1) : 0
}

function walkNumber(t: usize, p: usize): usize {
  if (keepsJson) return keptFloatEnd(p) != 0 ? endAt(t, floatEnd) : 0
  if (at(p) == 0x2d) p++
  if (at(p) == 0x30) p++
  else p = digitsEnd(p)
  if (p == 0) return 0
  if (at(p) == 0x2e) p = digitsEnd(p + 1)
  if (p != 0 && (at(p) | 0x20) == 0x65) {
    p++
    p = digitsEnd(at(p) == 0x2b || at(p) == 0x2d ? p + 1 : p)
  }
  return p == 0 ? 0 : endAt(t, p)
}

/** Behind the digits; 0 where there is none. */
function digitsEnd(p: usize): usize {
  const start = p
  while (at(p) - 0x30 <= 9) p++
  return p == start ? 0 : p
}
