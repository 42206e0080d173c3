// Numbers and literals. A number that JavaScript may write in another form is refused: its line is a fallback line.
import { firstSecond, lastSecond } from '../../src/contracts/year-range'
import { nodeKind, choiceNode, timestampNode } from '../../src/kernel/program/node-layout'
import { parseInteger } from '../parse-number'
import { put } from './walk-cells'
import { at, endAt, token } from './walk-tokens'
import { putChoice, putCode } from './walk-text'

const quote: u32 = 0x22

/** A whole number of up to this many digits is exact, and so is a fraction that is read into a double and written again. */
const exactDigits: usize = 15

/** Seconds of up to this many digits are between the years 1 and 9999. */
const digitsInRange: usize = 10

export function walkInteger(node: usize, t: usize, p: usize): usize {
  const end = wholeEnd(p)
  if (end != 0 && endAt(t, end) != 0) return putInteger(node, p, end) ? t : 0
  return at(p) == quote ? walkQuotedInteger(node, t, p) : 0
}

/** A whole number as text. */
function walkQuotedInteger(node: usize, t: usize, p: usize): usize {
  const close = token(t + 4)
  return wholeEnd(p + 1) == close && putInteger(node, p + 1, close) ? endAt(t + 8, close + 1) : 0
}

@inline
function putInteger(node: usize, p: usize, end: usize): bool {
  if (load<u32>(node, nodeKind) == timestampNode && end - p > digitsInRange) {
    const seconds = parseInteger(p, end - p)
    if (seconds < firstSecond || seconds > lastSecond) return false
  }
  put(node, p, end - p)
  return true
}

export function walkCodeNumber(node: usize, t: usize, p: usize): usize {
  const end = wholeEnd(p)
  return end != 0 && endAt(t, end) != 0 && putCode(node, p, end - p) ? t : 0
}

/** The end of a whole number; 0 for one that may not be exact, and for other values. */
@inline
export function wholeEnd(p: usize): usize {
  const start = at(p) == 0x2d ? p + 1 : p
  const digits = countDigits(start)
  if (digits == 0 || digits > exactDigits) return 0
  return at(start) == 0x30 && (digits > 1 || start != p) ? 0 : start + digits
}

/** The number of digits that follow, up to 16. */
@inline
function countDigits(p: usize): usize {
  const digits = v128.lt<u8>(i8x16.sub(v128.load(p), i8x16.splat(0x30)), i8x16.splat(10))
  return ctz((i8x16.bitmask(digits) as u32) ^ 0x1ffff) as usize
}

export function walkFloat(node: usize, t: usize, p: usize): usize {
  const kept = keptFloatEnd(p)
  return kept != 0 && endAt(t, floatEnd) != 0 && putScalar(node, p, kept - p) ? t : 0
}

/** A number as text. */
export function walkQuotedFloat(node: usize, t: usize, p: usize): usize {
  const close = token(t + 4)
  const kept = keptFloatEnd(p + 1)
  if (kept == 0 || floatEnd != close) return 0
  put(node, p + 1, kept - p - 1)
  return endAt(t + 8, close + 1)
}

/** The end of the number that `keptFloatEnd` has passed. */
export let floatEnd: usize = 0

/**
 * The end of the number as JavaScript writes it: without the last zeros of a fraction. 0 for a number that JavaScript may write
 * in another form, and for other values.
 */
export function keptFloatEnd(p: usize): usize {
  const start = at(p) == 0x2d ? p + 1 : p
  const point = digitsEnd(start)
  if (point == start || (at(start) == 0x30 && point - start > 1)) return 0
  let end = point, kept = point
  if (at(point) == 0x2e) {
    end = digitsEnd(point + 1)
    if (end == point + 1) return 0
    kept = end
    while (at(kept - 1) == 0x30) kept--
    if (kept == point + 1) kept = point
  }
  if (kept - start > exactDigits) return 0
  if (at(start) == 0x30) {
    if (kept == point && start != p) return 0
    // JavaScript writes a smaller fraction with an exponent.
    if (kept > point + 6 && firstNonZero(point + 1) > point + 6) return 0
  }
  floatEnd = end
  return kept
}

@inline
function digitsEnd(p: usize): usize {
  while (at(p) - 0x30 <= 9) p++
  return p
}

function firstNonZero(p: usize): usize {
  while (at(p) == 0x30) p++
  return p
}

export function walkBoolean(node: usize, t: usize, p: usize): usize {
  const end = load<u32>(p) == 0x65757274 ? p + 4 : load<u32>(p + 1) == 0x65736c61 && at(p) == 0x66 ? p + 5 : 0
  if (end == 0 || endAt(t, end) == 0) return 0
  return putScalar(node, p, end - p) ? t : 0
}

/** Numbers and booleans may come in place of the text of a choice. */
function putScalar(node: usize, address: usize, length: usize): bool {
  if (load<u32>(node, nodeKind) == choiceNode) return putChoice(node, address, length)
  put(node, address, length)
  return true
}
