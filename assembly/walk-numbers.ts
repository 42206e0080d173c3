// Numbers and literals. What is not surely written as JavaScript writes it out again is refused: the line is walked slowly.
import { nodeKind, choiceNode, timestampNode } from '../src/scan/node-layout'
import { put } from './walk-cells'
import { at, endAt } from './walk-tokens'
import { putChoice, putCode } from './walk-text'

/** A whole number of so many digits is exact, and a fraction of so many comes out of a double as it went in. */
const exactDigits: usize = 15
const firstSecond: i64 = -62135596800
const lastSecond: i64 = 253402300799

/** The value of the whole number that `wholeEnd` has passed, without its sign. */
let whole: i64 = 0

export function walkInteger(node: usize, t: usize, p: usize): usize {
  const end = wholeEnd(p)
  if (end == 0 || endAt(t, end) == 0) return 0
  if (load<u32>(node, nodeKind) == timestampNode) {
    const seconds = at(p) == 0x2d ? -whole : whole
    if (seconds < firstSecond || seconds > lastSecond) return 0
  }
  put(node, p, end - p)
  return t
}

export function walkCodeNumber(node: usize, t: usize, p: usize): usize {
  const end = wholeEnd(p)
  return end != 0 && endAt(t, end) != 0 && putCode(node, p, end - p) ? t : 0
}

/** The end of a whole number; 0 for what is none or not surely exact. */
@inline
export function wholeEnd(p: usize): usize {
  const start = at(p) == 0x2d ? p + 1 : p
  let end = start
  whole = 0
  for (let digit = at(end) - 0x30; digit <= 9; digit = at(++end) - 0x30) whole = whole * 10 + digit
  const digits = end - start
  if (digits == 0 || digits > exactDigits) return 0
  return at(start) == 0x30 && (digits > 1 || start != p) ? 0 : end
}

export function walkFloat(node: usize, t: usize, p: usize): usize {
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
  if (endAt(t, end) == 0 || kept - start > exactDigits) return 0
  if (at(start) == 0x30) {
    if (kept == point && start != p) return 0
    // JavaScript writes a smaller fraction with an exponent.
    if (kept > point + 6 && firstNonZero(point + 1) > point + 6) return 0
  }
  return putScalar(node, p, kept - p) ? t : 0
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

/** Numbers and booleans may stand for the text of a choice. */
function putScalar(node: usize, address: usize, length: usize): bool {
  if (load<u32>(node, nodeKind) == choiceNode) return putChoice(node, address, length)
  put(node, address, length)
  return true
}
