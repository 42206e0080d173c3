// Consecutive lines, which the walk accepts by itself: they follow a line that was applied outside, and that set what to expect.
import { hashBasis, hashFold, hashPrime, idHash, idLength, idLine, idText } from '../../src/records/id-layout'
import {
  firstPosition, knownBytes, knownLength, knownNote, knownText, knownTimes, longestKnown, mostKnown, noPosition, noteBytes, noteKindMask, otherLocaleNote,
  scopeCells, scopeIds, scopeIdsEnd, scopeIdsNext, scopeKnown, scopeKnownCount, scopeLine, scopeNextIndex, scopeNoteCount, scopeNotes,
  scopeSameTotal, silentNote, unnumberedPosition,
} from '../../src/kernel/program/node-layout'
import { scope } from './walk-cells'

const idCell = scopeCells
const indexCell = scopeCells + 8
const totalCell = scopeCells + 16

/** The lines of another block follow, with a region for the entries of ids. */
export function beginBlock(scope: usize, ids: usize, idsEnd: usize): void {
  store<u32>(scope, ids as u32, scopeIds)
  store<u32>(scope, ids as u32, scopeIdsNext)
  store<u32>(scope, idsEnd as u32, scopeIdsEnd)
  // The drift that is met first is counted apart: it must not depend on other blocks.
  store<u32>(scope, 0, scopeKnownCount)
  store<u64>(scope, noPosition, scopeNextIndex)
}

/** Has no line accepted here until the next `expectNext`. */
export function expectNone(): void {
  store<u64>(scope, noPosition, scopeNextIndex)
}

/** Has the lines that follow accepted here. The last one was applied outside. */
export function expectNext(): void {
  store<u64>(scope, positionBehind(readPosition(scope + indexCell)), scopeNextIndex)
  store<u64>(scope, readPosition(scope + totalCell), scopeSameTotal)
  let note = load<u32>(scope, scopeNotes) as usize
  for (let left = load<u32>(scope, scopeNoteCount); left > 0; left--, note += noteBytes) {
    if (!isSilent(note) && findKnown(note) == 0) addKnown(note)
  }
}

/** Enters the id of a consecutive line and counts its drift; false, with nothing changed, for any other line. */
export function tryAcceptConsecutive(): bool {
  const index = readPosition(scope + indexCell)
  if (index == noPosition || index != load<u64>(scope, scopeNextIndex)) return false
  if (readPosition(scope + totalCell) != load<u64>(scope, scopeSameTotal)) return false
  if (!areNotesKnown() || !enterId()) return false
  countNotes()
  store<u64>(scope, positionBehind(index), scopeNextIndex)
  store<u32>(scope, load<u32>(scope, scopeLine) + 1, scopeLine)
  return true
}

/** A count has digits only. */
function readPosition(cell: usize): u64 {
  const length = load<u32>(cell, 4)
  if (length == 0xffffffff) return unnumberedPosition
  if (length > 15) return noPosition
  let number: u64 = 0
  for (let at = load<u32>(cell) as usize, end = at + length; at < end; at++) {
    const digit = (load<u8>(at) as u32) - 0x30
    if (digit > 9) return noPosition
    number = number * 10 + digit
  }
  return number + firstPosition
}

@inline
function positionBehind(position: u64): u64 {
  return position < (firstPosition as u64) ? position : position + 1
}

function areNotesKnown(): bool {
  let note = load<u32>(scope, scopeNotes) as usize
  for (let left = load<u32>(scope, scopeNoteCount); left > 0; left--, note += noteBytes) {
    if (!isSilent(note) && findKnown(note) == 0) return false
  }
  return true
}

function countNotes(): void {
  let note = load<u32>(scope, scopeNotes) as usize
  for (let left = load<u32>(scope, scopeNoteCount); left > 0; left--, note += noteBytes) {
    if (isSilent(note)) continue
    const known = findKnown(note)
    store<u32>(known, load<u32>(known, knownTimes) + 1, knownTimes)
  }
}

@inline
function isSilent(note: usize): bool {
  return (load<u32>(note) & noteKindMask) == silentNote
}

function findKnown(note: usize): usize {
  const what = toWhat(note), address = load<u32>(note, 4) as usize, length = load<u32>(note, 8)
  let known = load<u32>(scope, scopeKnown) as usize
  for (let left = load<u32>(scope, scopeKnownCount); left > 0; left--, known += knownBytes) {
    if (load<u32>(known, knownNote) != what || load<u32>(known, knownLength) != length) continue
    if (memory.compare(known + knownText, address, length) == 0) return known
  }
  return 0
}

/** The kind and path of a note. A value in another locale is reported without its path. */
@inline
function toWhat(note: usize): u32 {
  const what = load<u32>(note)
  return (what & noteKindMask) == otherLocaleNote ? otherLocaleNote : what
}

/** Adds a note to the known ones, if there is room. */
function addKnown(note: usize): void {
  const count = load<u32>(scope, scopeKnownCount), length = load<u32>(note, 8)
  if (count == (mostKnown as u32) || length > (longestKnown as u32)) return
  const known = (load<u32>(scope, scopeKnown) as usize) + (count as usize) * knownBytes
  store<u32>(known, toWhat(note), knownNote)
  store<u32>(known, length, knownLength)
  store<u32>(known, 0, knownTimes)
  memory.copy(known + knownText, load<u32>(note, 4) as usize, length)
  store<u32>(scope, count + 1, scopeKnownCount)
}

/** False where there is no room. */
function enterId(): bool {
  const address = load<u32>(scope, idCell) as usize, length = load<u32>(scope, idCell + 4)
  const entry = load<u32>(scope, scopeIdsNext) as usize
  const next = entry + (idText << 2) + ((length + 3) & ~3)
  if (next > (load<u32>(scope, scopeIdsEnd) as usize)) return false
  store<u32>(next - 4, 0)
  memory.copy(entry + (idText << 2), address, length)
  store<u32>(entry, hashText(address, length), idHash << 2)
  store<u32>(entry, length, idLength << 2)
  store<u32>(entry, load<u32>(scope, scopeLine), idLine << 2)
  store<u32>(scope, next as u32, scopeIdsNext)
  return true
}

function hashText(address: usize, length: u32): u32 {
  let hash: u32 = hashBasis
  for (const end = address + length; address < end; address++) hash = (hash ^ load<u8>(address)) * hashPrime
  return hash ^ (hash >> hashFold)
}
