// JSON text as JSON.stringify writes it, put together from pieces of the line: as long as they follow one another nothing
// is copied, and what has come of them is a range of the line itself.
import { copyBytes } from '../bytes'
import { findArena, put, takeArena } from './walk-cells'
import { escapeAt, escapeBytes, readEscape, skipEscapesTo, writeCharacter } from './walk-text'
import { at } from './walk-tokens'
import { keptFloatEnd } from './walk-numbers'

/** Pieces that are still to be copied: from one address up to another. */
let runStart: usize = 0
let runEnd: usize = 0
/** The begin of the text in the arena, and its end so far. */
let start: usize = 0
let out: usize = 0
/** Set where a piece could not be written: there is no room, or JavaScript may write it in another form. */
let isBroken: bool = false

export function beginJson(): void {
  start = out = findArena(0)
  runStart = runEnd = 0
  isBroken = start == 0
}

/** Puts the text into the cells of the node; false where it could not be written. */
export function endJson(node: usize): bool {
  if (!isBroken && out == start) put(node, runStart, runEnd - runStart)
  else {
    flush()
    if (isBroken) return false
    takeArena(out)
    put(node, start, out - start)
  }
  return true
}

/** Puts the text into one cell, without taking its room; false where it could not be written. */
export function endText(cell: usize): bool {
  flush()
  store<u64>(cell, (start as u64) | (((out - start) as u64) << 32))
  return !isBroken
}

/** The state of the text, for `returnTo`. */
export function runState(): u64 {
  return (runStart as u64) | ((runEnd as u64) << 32)
}

export function outState(): usize {
  return out
}

/** Takes back all since. */
export function returnTo(run: u64, written: usize): void {
  runStart = (run & 0xffffffff) as usize
  runEnd = (run >> 32) as usize
  out = written
}

/** Appends bytes of the line. */
@inline
export function emit(from: usize, to: usize): void {
  if (from == runEnd) runEnd = to
  else startRun(from, to)
}

function startRun(from: usize, to: usize): void {
  flush()
  runStart = from
  runEnd = to
}

function flush(): void {
  const length = runEnd - runStart
  // Most pieces are short, and copied by the sixteen bytes.
  if (length != 0 && hasRoom(length + 16)) out = copyBytes(out, runStart, length)
  runStart = runEnd = 0
}

export function emitByte(byte: u32): void {
  flush()
  if (hasRoom(1)) store<u8>(out++, byte as u8)
}

export function emitNull(): void {
  flush()
  if (!hasRoom(4)) return
  store<u32>(out, 0x6c6c756e)
  out += 4
}

/** Appends `"name":`, of a name as members have it. */
export function emitName(name: usize, length: usize): void {
  emitByte(0x22)
  emit(name, name + length + 2)
}

/** Appends a string of the line from its opening quote up to behind the closing one. */
export function emitText(open: usize, close: usize): void {
  let from = open
  for (let escape = skipEscapesTo(open); escapeAt(escape) < close; escape += 4) {
    const address = escapeAt(escape)
    const character = readEscape(address)
    if (isWrittenSo(address, character)) continue
    emit(from, address)
    emitCharacter(character)
    from = address + escapeBytes(address)
  }
  emit(from, close + 1)
}

/** True where JSON.stringify writes the character as this escape. */
function isWrittenSo(escape: usize, character: i32): bool {
  if (at(escape + 1) != 0x75) return character != 0x2f
  const hasLetter = character == 0x08 || character == 0x09 || character == 0x0a || character == 0x0c || character == 0x0d
  // Its hexadecimal letters are small.
  return character < 0x20 && !hasLetter && (at(escape + 5) < 0x41 || at(escape + 5) > 0x46)
}

function emitCharacter(character: i32): void {
  if (character < 0) return breakOff()
  flush()
  if (!hasRoom(8)) return
  switch (character) {
    case 0x08: return emitLetter(0x62)
    case 0x09: return emitLetter(0x74)
    case 0x0a: return emitLetter(0x6e)
    case 0x0c: return emitLetter(0x66)
    case 0x0d: return emitLetter(0x72)
    case 0x22: return emitLetter(0x22)
    case 0x5c: return emitLetter(0x5c)
  }
  if (character >= 0x20) out = writeCharacter(out, character as u32)
  else {
    emitLetter(0x75)
    store<u16>(out, 0x3030)
    store<u8>(out, (0x30 + (character >> 4)) as u8, 2)
    store<u8>(out, ((character & 15) + ((character & 15) < 10 ? 0x30 : 0x57)) as u8, 3)
    out += 4
  }
}

function emitLetter(letter: u32): void {
  store<u8>(out, 0x5c)
  store<u8>(out, letter as u8, 1)
  out += 2
}

/** Appends a number, `true`, `false` or `null` that the walk has passed. */
export function emitScalar(p: usize): void {
  const first = at(p)
  if (first == 0x6e || first == 0x74) emit(p, p + 4)
  else if (first == 0x66) emit(p, p + 5)
  else emitNumber(p)
}

export function emitNumber(p: usize): void {
  const end = keptFloatEnd(p)
  if (end == 0) breakOff()
  else emit(p, end)
}

export function breakOff(): void {
  isBroken = true
}

function hasRoom(length: usize): bool {
  // The arena's `next` stays where it was until the text is whole.
  if (!isBroken && findArena(out - start + length) == 0) isBroken = true
  return !isBroken
}
