// Several codes where one is expected: they are joined.
import { codeLength } from '../../src/kernel/program/node-layout'
import { findArena, put, takeArena } from './walk-cells'
import { wholeEnd } from './walk-numbers'
import { hasEscape, isDigits, isUsualCode, noteOddCode } from './walk-text'
import { at, endAt, isBlank, skipBlanks, token } from './walk-tokens'

const separator: u8 = 0x7c

/** A list of codes, in digits padded one by one, joined by `|`; an empty one is null. One with a `|` is refused. */
export function walkCodeList(node: usize, t: usize, p: usize): usize {
  t += 4
  if (at(token(t)) == 0x5d && isBlank(p + 1, token(t))) return endAt(t + 4, token(t) + 1)
  const start = findArena(0)
  let to = start, end = p, isFirst = true
  do {
    if (!isFirst) store<u8>(to++, separator)
    isFirst = false
    p = skipBlanks(end + 1)
    const isText = at(p) == 0x22
    const first = isText ? p + 1 : p
    const last = isText ? token(t + 4) : wholeEnd(p)
    if (last == 0 || (isText && (hasEscape(last) || holdsSeparator(first, last)))) return 0
    if (!isUsualCode(first, last - first, load<u32>(node, codeLength) as usize) && !noteOddCode(node, first, last - first)) return 0
    takeArena(to)
    to = writePadded(first, last - first, load<u32>(node, codeLength) as usize)
    if (to == 0) return 0
    if (isText) t += 8
    if (endAt(t, isText ? last + 1 : last) == 0) return 0
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  if (at(end) != 0x5d) return 0
  takeArena(to)
  put(node, start, to - start)
  return endAt(t, end + 1)
}

function holdsSeparator(from: usize, to: usize): bool {
  for (; from < to; from++) if (at(from) == separator) return true
  return false
}

/** Writes a code to the arena, with room for a separator behind; returns its end, 0 where there is no room. */
function writePadded(address: usize, length: usize, fullLength: usize): usize {
  let to = findArena(length + fullLength + 1)
  if (to == 0) return 0
  if (length > 0 && length < fullLength && isDigits(address, length)) {
    memory.fill(to, 0x30, fullLength - length)
    to += fullLength - length
  }
  memory.copy(to, address, length)
  return to + length
}
