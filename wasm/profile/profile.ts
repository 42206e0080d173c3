import {
  stateBytes, stateFilled, stateIsClosed, stateLongest, stateMaxKey, stateMin, stateMinKey, statePrefix,
} from '../../src/kernel/profile/state-layout'
import { booleanKind, Cell, cellBytes, floatKind, isNull, jsonKind, nullLength, textKind, toColumn } from '../encode/encode-cells'
import { areEqual, boundFloat, boundInteger, boundText, headOf, keyOf } from './bound-values'
import { addNew, addOne, findValue } from './count-values'

/** Counts the cells of `count` rows into the states of their columns; src/kernel/profile/state-layout.ts describes these. */
export function profileCells(
  rows: usize,
  count: usize,
  rowBytes: usize,
  columns: usize,
  columnCount: usize,
  states: usize,
): void {
  for (let index: usize = 0; index < columnCount; index++) {
    const column = toColumn(columns, index)
    const state = states + index * stateBytes
    const cells = rows + column.offset
    const end = cells + count * rowBytes
    let filled: u32 = 0
    if (column.kind == jsonKind) filled = countFilled(cells, end, rowBytes)
    else if (column.isList) filled = addLists(state, column.kind, cells, end, rowBytes)
    else filled = addValues(state, column.kind, cells, end, rowBytes)
    store<u32>(state, load<u32>(state, stateFilled) + filled, stateFilled)
  }
}

function countFilled(cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  for (; cells < end; cells += stride) filled += (!isNull(changetype<Cell>(cells))) as u32
  return filled
}

function addLists(state: usize, kind: u32, cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  for (; cells < end; cells += stride) {
    const list = changetype<Cell>(cells)
    if (isNull(list)) continue
    filled++
    const elements: usize = list.address
    addValues(state, kind, elements, elements + (list.length as usize) * cellBytes, cellBytes)
  }
  return filled
}

/** Counts the values of cells that lie `stride` apart; gives how many there are. */
function addValues(state: usize, kind: u32, cells: usize, end: usize, stride: usize): u32 {
  if (load<u32>(state, stateIsClosed) == 0) return addDistinct(state, kind, cells, end, stride)
  if (kind == textKind || kind == booleanKind) return addTexts(state, cells, end, stride)
  if (kind == floatKind) return addFloats(state, cells, end, stride)
  return addIntegers(state, cells, end, stride)
}

/** The bounds of a value that came before are known. */
function addDistinct(state: usize, kind: u32, cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  let last: u64 = 0
  let lastValue: usize = 0
  for (; cells < end; cells += stride) {
    const cell = load<u64>(cells)
    const cellLength = (cell >> 32) as u32
    if (cellLength == nullLength) continue
    if (cell == last) {
      // The same bytes: rows of one parent.
      filled++
      addOne(lastValue)
      continue
    }
    let address = (cell & 0xffffffff) as usize
    let length = cellLength as usize
    if (kind == floatKind && isMinusZero(address, length)) {
      address++
      length--
    }
    let value = findValue(state, address, length)
    if (value == 0) {
      value = addNew(state, address, length)
      if (value == 0) return filled + addValues(state, kind, cells, end, stride)
      boundValue(state, kind, address, length)
    }
    filled++
    last = cell
    lastValue = value
  }
  return filled
}

function boundValue(state: usize, kind: u32, address: usize, length: usize): void {
  if (kind == textKind || kind == booleanKind) boundText(state, address, length)
  else if (kind == floatKind) boundFloat(state, address, length)
  else boundInteger(state, address, length, keyOf(address, length))
}

function addTexts(state: usize, cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  let last: u64 = 0
  let longest = load<u32>(state, stateLongest)
  let prefix: usize = load<u32>(state, statePrefix)
  let least = load<u64>(state, stateMinKey)
  let greatest = load<u64>(state, stateMaxKey)
  for (; cells < end; cells += stride) {
    const cell = load<u64>(cells)
    const length = (cell >> 32) as u32
    if (length == nullLength) continue
    filled++
    if (cell == last) continue
    last = cell
    const address = (cell & 0xffffffff) as usize
    // No text has more characters than bytes.
    if (length <= longest && (length as usize) >= prefix && areEqual(state + stateMin, address, prefix)) {
      const key = headOf(address + prefix, (length as usize) - prefix)
      if (key > least && key < greatest) continue
    }
    boundText(state, address, length)
    longest = load<u32>(state, stateLongest)
    prefix = load<u32>(state, statePrefix)
    least = load<u64>(state, stateMinKey)
    greatest = load<u64>(state, stateMaxKey)
  }
  return filled
}

function addIntegers(state: usize, cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  let least = load<i64>(state, stateMinKey)
  let greatest = load<i64>(state, stateMaxKey)
  for (; cells < end; cells += stride) {
    const cell = load<u64>(cells)
    const length = (cell >> 32) as u32
    if (length == nullLength) continue
    filled++
    const address = (cell & 0xffffffff) as usize
    const key = keyOf(address, length)
    if (key > least && key < greatest) continue
    boundInteger(state, address, length, key)
    least = load<i64>(state, stateMinKey)
    greatest = load<i64>(state, stateMaxKey)
  }
  return filled
}

/** Zero has no sign. */
function addFloats(state: usize, cells: usize, end: usize, stride: usize): u32 {
  let filled: u32 = 0
  for (; cells < end; cells += stride) {
    const cell = changetype<Cell>(cells)
    if (isNull(cell)) continue
    filled++
    const skipped = isMinusZero(cell.address, cell.length) as u32
    boundFloat(state, cell.address + skipped, cell.length - skipped)
  }
  return filled
}

@inline
function isMinusZero(address: usize, length: usize): bool {
  return length == 2 && load<u16>(address) == 0x302d
}
