// The targets of values: cells of rows, elements of list cells, and the record's own cells; and the roll-back of a line.
import {
  appendBytes, appendIsFirst, appendList, appendSlot, beginBytes, beginPositionCount, beginPositions, beginSlot, beginTable,
  copyBytes, copyFrom, copyMark, copyOffset, copyTable, elementAppendCount, elementAppends, elementBeginCount, elementBegins,
  nodeTargetCount, nodeTargets, numberCount, openBytes, openList, openOffset, openSlot, openStart, targetBytes,
  targetOffset, targetRank, targetRankKept, targetSlot, positionBytes, scopeCellCount, scopeCells, scopeHeaderCount,
  onlyNull, scopeCopies, scopeCopyCount, scopeHeaders, scopeKeepsJson, scopeMarks, scopeNoteCount, scopeNotes, scopeNumbers, mostNotes, noteBytes, noteKindBits,
} from '../../src/kernel/program/node-layout'
import { fits } from '../bytes'

/** Address 0 and length 0xffffffff. */
const nullCell: u64 = 0xffffffff00000000
/** Length 0 at any other address. */
const emptyCell: u64 = 1
const headerBytes: usize = 16

export let scope: usize = 0
let headers: usize = 0
/** 0, or the negative number that `walkLine` returns for the region that has no room. */
export let roomMissing: i32 = 0

/** True where values are written as JSON text: values that JavaScript may write in another form are refused, also in unknown fields. */
export let keepsJson: bool = false

export function enterScope(address: usize): void {
  scope = address
  headers = load<u32>(scope, scopeHeaders)
  keepsJson = load<u32>(scope, scopeKeepsJson) != 0
}

/** Puts a value into every cell that wants it. */
@inline
export function put(node: usize, address: usize, length: usize): void {
  let count = load<u32>(node, nodeTargetCount)
  if (count == 0) return
  const cell = (address as u64) | ((length as u64) << 32)
  let target = load<u32>(node, nodeTargets) as usize
  do {
    const to = (load<u32>(load<u32>(target, targetSlot) as usize) as usize) + (load<u32>(target, targetOffset) as usize)
    if (load<u32>(target, targetRankKept) == 0 || isBetter(target, to, length)) store<u64>(to, cell)
    target += targetBytes
  } while (--count != 0)
}

/** True for a filled value whose rank is the best so far, or in the place of null. */
function isBetter(target: usize, to: usize, length: usize): bool {
  const kept = load<u32>(target, targetRankKept) as usize
  if (kept == onlyNull) return load<u64>(to) == nullCell
  const rank = load<u32>(target, targetRank)
  if (length == 0 || rank >= load<u32>(kept)) return false
  store<u32>(kept, rank)
  return true
}

/** Room for `bytes` in the arena, which `takeArena` makes use of; 0 where there is none. */
export function findArena(bytes: usize): usize {
  const next = load<u32>(headers) as usize
  if (fits(next, bytes, load<u32>(headers, 4))) return next
  roomMissing = -1
  return 0
}

export function takeArena(end: usize): void {
  store<u32>(headers, end as u32)
}

/** Cells of the record, the rows of root tables and the notes begin anew; the ends of all regions are remembered for `rollBack`. */
export function beginLine(): void {
  roomMissing = 0
  store<u32>(scope, 0, scopeNoteCount)
  const marks = load<u32>(scope, scopeMarks) as usize
  store<u32>(marks, load<u32>(headers))
  const count = load<u32>(scope, scopeHeaderCount) as usize
  for (let i: usize = 1; i < count; i++) store<u32>(marks + (i << 2), load<u32>(headers + i * headerBytes, 4))
  fillNulls(scope + scopeCells, load<u32>(scope, scopeCellCount))
}

/** Takes back all that the line has given. */
export function rollBack(): void {
  const marks = load<u32>(scope, scopeMarks) as usize
  store<u32>(headers, load<u32>(marks))
  const count = load<u32>(scope, scopeHeaderCount) as usize
  for (let i: usize = 1; i < count; i++) store<u32>(headers + i * headerBytes, load<u32>(marks + (i << 2)), 4)
}

/** Writes what all rows of a line have, such as the record's id, which may come behind the lists. */
export function writeCopies(): void {
  let copy = load<u32>(scope, scopeCopies) as usize
  for (let left = load<u32>(scope, scopeCopyCount); left > 0; left--, copy += copyBytes) {
    const cell = load<u64>(load<u32>(copy, copyFrom) as usize)
    const header = load<u32>(copy, copyTable) as usize
    const rowBytes = (load<u32>(header, 12) as usize) << 3
    const rows = load<u32>(header) as usize
    const end = rows + (load<u32>(header, 4) as usize) * rowBytes
    let row = rows + (load<u32>(load<u32>(copy, copyMark) as usize) as usize) * rowBytes + (load<u32>(copy, copyOffset) as usize)
    for (; row < end; row += rowBytes) store<u64>(row, cell)
  }
}

/** Appends the cells and begins the rows of an element; a null element has cells but no rows. */
@inline
export function beginElement(element: usize, isNull: bool): bool {
  if (load<u32>(element, elementAppendCount) != 0 && !appendCells(element, isNull)) return false
  if (isNull) return true
  let count = load<u32>(element, elementBeginCount)
  let begin = load<u32>(element, elementBegins) as usize
  for (; count > 0; count--, begin += beginBytes) if (!beginRow(begin)) return false
  return true
}

function appendCells(element: usize, isNull: bool): bool {
  let append = load<u32>(element, elementAppends) as usize
  for (let count = load<u32>(element, elementAppendCount); count > 0; count--, append += appendBytes) {
    const header = load<u32>(append, appendList) as usize
    const cells = load<u32>(header, 4)
    if (cells >= load<u32>(header, 8)) return failForRoom(header)
    store<u32>(header, cells + 1, 4)
    const cell = (load<u32>(header) as usize) + ((cells as usize) << 3)
    store<u64>(cell, load<u32>(append, appendIsFirst) != 0 && !isNull ? emptyCell : nullCell)
    store<u32>(load<u32>(append, appendSlot) as usize, cell as u32)
  }
  return true
}

export function beginRow(begin: usize): bool {
  const header = load<u32>(begin, beginTable) as usize
  const rows = load<u32>(header, 4)
  if (rows >= load<u32>(header, 8)) return failForRoom(header)
  const width = load<u32>(header, 12)
  const row = (load<u32>(header) as usize) + (((rows * width) as usize) << 3)
  store<u32>(header, rows + 1, 4)
  store<u32>(load<u32>(begin, beginSlot) as usize, row as u32)
  fillNulls(row, width)
  let position = load<u32>(begin, beginPositions) as usize
  for (let count = load<u32>(begin, beginPositionCount); count > 0; count--, position += positionBytes) {
    const number = load<u32>(load<u32>(position, 4) as usize)
    if (!writeNumber(row + (load<u32>(position) as usize), number)) return false
  }
  return true
}

/** The first numbers are ready as text; later ones are written to the arena. */
function writeNumber(cell: usize, number: u32): bool {
  let digits: usize = number < 10 ? 1 : number < 100 ? 2 : 3
  let address = (load<u32>(scope, scopeNumbers) as usize) + ((number as usize) << 3)
  if (number >= (numberCount as u32)) {
    address = findArena(16)
    if (address == 0) return false
    digits = 0
    for (let rest = number; rest > 0; rest /= 10) digits++
    let at = address + digits
    for (let rest = number; rest > 0; rest /= 10) store<u8>(--at, (0x30 + (rest % 10)) as u8)
    takeArena(address + digits)
  }
  store<u64>(cell, (address as u64) | ((digits as u64) << 32))
  return true
}

export function openLists(open: usize, count: u32): void {
  for (; count > 0; count--, open += openBytes) {
    store<u32>(open, load<u32>(load<u32>(open, openList) as usize, 4), openStart)
  }
}

export function closeLists(open: usize, count: u32): void {
  for (; count > 0; count--, open += openBytes) {
    const header = load<u32>(open, openList) as usize
    const start = load<u32>(open, openStart)
    const address = (load<u32>(header) as usize) + ((start as usize) << 3)
    const to = (load<u32>(load<u32>(open, openSlot) as usize) as usize) + (load<u32>(open, openOffset) as usize)
    store<u64>(to, (address as u64) | (((load<u32>(header, 4) - start) as u64) << 32))
  }
}

/** Notes drift; false where there is too much of it. */
export function note(what: u32, address: usize, length: usize): bool {
  const count = load<u32>(scope, scopeNoteCount)
  if (count >= (mostNotes as u32)) return false
  const at = (load<u32>(scope, scopeNotes) as usize) + (count as usize) * noteBytes
  store<u32>(at, what)
  store<u32>(at, address as u32, 4)
  store<u32>(at, length as u32, 8)
  store<u32>(scope, count + 1, scopeNoteCount)
  return true
}

/** True where one of the notes behind the first `from` has the same path and text: a key that comes twice. */
export function isNoted(from: u32, path: u32, address: usize, length: usize): bool {
  const notes = load<u32>(scope, scopeNotes) as usize
  const end = notes + (load<u32>(scope, scopeNoteCount) as usize) * noteBytes
  for (let at = notes + (from as usize) * noteBytes; at < end; at += noteBytes) {
    if (load<u32>(at) >> noteKindBits != path || (load<u32>(at, 8) as usize) != length) continue
    if (memory.compare(load<u32>(at, 4) as usize, address, length) == 0) return true
  }
  return false
}

@inline
export function noteCount(): u32 {
  return load<u32>(scope, scopeNoteCount)
}

@inline
export function fillNulls(cell: usize, count: u32): void {
  const end = cell + ((count as usize) << 3)
  for (; cell + 16 <= end; cell += 16) v128.store(cell, i64x2.splat(nullCell as i64))
  if (cell < end) store<u64>(cell, nullCell)
}

function failForRoom(header: usize): bool {
  roomMissing = -1 - (((header - headers) / headerBytes) as i32)
  return false
}
