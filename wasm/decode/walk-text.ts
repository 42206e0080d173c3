// Strings: ranges of bytes of the line, or, where they have escapes, of the arena.
import { choiceValueCount, choiceValues, codeLength, nameBytes, nameLength, nameMask, nameMaskAlone, nodePath, nodeTargetCount, noteKindBits, oddCodeNote, unknownValueNote } from '../../src/kernel/program/node-layout'
import { findArena, note, put, takeArena } from './walk-cells'
import { at, endAt, token } from './walk-tokens'

/** The next escape in the list of escapes: strings are walked in order, so none is skipped. */
let escapes: usize = 0

export function enterEscapes(list: usize): void {
  escapes = list
}

/** Leaves the escapes of a line that was not walked to its end. */
export function skipEscapes(until: usize): void {
  while (token(escapes) < until) escapes += 4
}

/** The next escape of the list. */
export function escapesNow(): usize {
  return escapes
}

/** The first escape of the list behind an address, searched from the one that was found last. */
let searched: usize = 0
let firstSearched: usize = 0

/** Searches escapes from this one on. */
export function seekEscapes(first: usize): void {
  searched = firstSearched = first
}

export function skipEscapesTo(address: usize): usize {
  while (searched > firstSearched && token(searched - 4) > address) searched -= 4
  while (token(searched) < address) searched += 4
  return searched
}

@inline
export function escapeAt(escape: usize): usize {
  return token(escape)
}

/** The number of bytes of an escape. */
@inline
export function escapeBytes(escape: usize): usize {
  return at(escape + 1) == 0x75 ? 6 : 2
}

@inline
export function hasEscape(close: usize): bool {
  return token(escapes) < close
}

export function walkText(node: usize, t: usize, p: usize): usize {
  const close = token(t + 4)
  if (!hasEscape(close)) put(node, p + 1, close - p - 1)
  else if (load<u32>(node, nodeTargetCount) == 0) {
    if (!checkEscapes(close)) return 0
  } else if (!putUnescaped(node, p + 1, close)) return 0
  return endAt(t + 8, close + 1)
}

/** A code in digits gets its lost zeros back. */
export function walkCodeText(node: usize, t: usize, p: usize): usize {
  const close = token(t + 4)
  if (hasEscape(close)) return 0
  if (!putCode(node, p + 1, close - p - 1)) return 0
  return endAt(t + 8, close + 1)
}

export function putCode(node: usize, address: usize, length: usize): bool {
  const fullLength = load<u32>(node, codeLength) as usize
  if (length >= fullLength || length == 0 || load<u32>(node, nodeTargetCount) == 0 || !isDigits(address, length)) {
    put(node, address, length)
    return isUsualCode(address, length, fullLength) || noteOddCode(node, address, length)
  }
  const to = findArena(fullLength)
  if (to == 0) return false
  memory.fill(to, 0x30, fullLength - length)
  memory.copy(to + fullLength - length, address, length)
  takeArena(to + fullLength)
  put(node, to, fullLength)
  return true
}

/** Tests if a code is empty, or has the declared number of digits once its lost zeros are back. */
@inline
export function isUsualCode(address: usize, length: usize, fullLength: usize): bool {
  return fullLength == 0 || length == 0 || (length <= fullLength && isDigits(address, length))
}

/** Notes a code of another form; what may be several codes in one text is left to the reference path. */
export function noteOddCode(node: usize, address: usize, length: usize): bool {
  for (let byte = address; byte < address + length; byte++) if (at(byte) == 0x7c) return false
  return note((load<u32>(node, nodePath) << noteKindBits) | oddCodeNote, address, length)
}

export function isDigits(address: usize, length: usize): bool {
  if (length <= 16) {
    const digits = v128.lt<u8>(i8x16.sub(v128.load(address), i8x16.splat(0x30)), i8x16.splat(10))
    return ctz((i8x16.bitmask(digits) as u32) ^ 0x1ffff) as usize >= length
  }
  for (const end = address + length; address < end; address++) if (at(address) - 0x30 > 9) return false
  return true
}

export function walkChoiceText(node: usize, t: usize, p: usize): usize {
  const close = token(t + 4)
  if (hasEscape(close)) return 0
  if (!putChoice(node, p + 1, close - p - 1)) return 0
  return endAt(t + 8, close + 1)
}

/** A value that the contract does not list is noted. */
export function putChoice(node: usize, address: usize, length: usize): bool {
  put(node, address, length)
  let value = load<u32>(node, choiceValues) as usize
  for (let left = load<u32>(node, choiceValueCount); left > 0; left--, value += nameBytes) {
    if ((load<u32>(value, nameLength) as usize) == length && isName(value, address, load<u32>(value, nameMaskAlone))) return true
  }
  return note((load<u32>(node, nodePath) << noteKindBits) | unknownValueNote, address, length)
}

/** True where the bytes at an address are those of a name, as far as the mask goes. Up to 32 are read. */
@inline
export function isName(name: usize, address: usize, mask: u32): bool {
  const first = i8x16.bitmask(i8x16.eq(v128.load(name), v128.load(address))) as u32
  if ((first & mask) != (mask & 0xffff)) return false
  if (mask < 0x10000) return true
  const second = (i8x16.bitmask(i8x16.eq(v128.load(name, 16), v128.load(address, 16))) as u32) << 16
  return (second & mask) == (mask & 0xffff0000)
}

function putUnescaped(node: usize, from: usize, close: usize): bool {
  const start = findArena(close - from)
  if (start == 0) return false
  let to = start
  while (hasEscape(close)) {
    const escape = token(escapes)
    memory.copy(to, from, escape - from)
    to += escape - from
    const character = readEscape(escape)
    if (character < 0) return false
    to = writeCharacter(to, character as u32)
    from = escape + escapeBytes(escape)
    escapes += 4
  }
  memory.copy(to, from, close - from)
  to += close - from
  takeArena(to)
  put(node, start, to - start)
  return true
}

export function checkEscapes(close: usize): bool {
  for (; hasEscape(close); escapes += 4) if (readEscape(token(escapes)) < 0) return false
  return true
}

/**
 * The character of an escape; -1 for an invalid one, for half a character, which needs its other half, and for NUL, which not
 * every output can hold.
 */
export function readEscape(escape: usize): i32 {
  switch (at(escape + 1)) {
    case 0x22: return 0x22
    case 0x5c: return 0x5c
    case 0x2f: return 0x2f
    case 0x62: return 0x08
    case 0x66: return 0x0c
    case 0x6e: return 0x0a
    case 0x72: return 0x0d
    case 0x74: return 0x09
    case 0x75: return readHex(escape + 2)
    default: return -1
  }
}

function readHex(address: usize): i32 {
  let character: u32 = 0
  for (let i = 0; i < 4; i++) {
    const byte = at(address + i)
    const letter = (byte | 0x20) - 0x61
    const digit = byte - 0x30 < 10 ? byte - 0x30 : letter < 6 ? letter + 10 : 16
    if (digit > 15) return -1
    character = (character << 4) | digit
  }
  return (character & 0xf800) == 0xd800 || character == 0 ? -1 : (character as i32)
}

export function writeCharacter(to: usize, character: u32): usize {
  if (character < 0x80) {
    store<u8>(to, character as u8)
    return to + 1
  }
  if (character < 0x800) {
    store<u8>(to, (0xc0 | (character >> 6)) as u8)
    store<u8>(to, (0x80 | (character & 0x3f)) as u8, 1)
    return to + 2
  }
  store<u8>(to, (0xe0 | (character >> 12)) as u8)
  store<u8>(to, (0x80 | ((character >> 6) & 0x3f)) as u8, 1)
  store<u8>(to, (0x80 | (character & 0x3f)) as u8, 2)
  return to + 3
}
