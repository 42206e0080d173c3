import { stateBytes, stateFilled, stateIsClosed } from '../../src/profile/state-layout'
import { booleanKind, Cell, Column, elementAt, floatKind, isNull, jsonKind, textKind, toColumn } from '../encode/encode-cells'
import { boundFloat, boundInteger, boundText } from './bound-values'
import { counted, countValue } from './count-values'

/** Counts the cells of `count` rows into the states of their columns; src/profile/state-layout.ts describes these. */
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
    for (let at = cells; at < end; at += rowBytes) {
      const cell = changetype<Cell>(at)
      if (isNull(cell)) continue
      filled++
      if (column.kind == jsonKind) continue
      if (column.isList) addElements(state, column.kind, cell)
      else addValue(state, column.kind, cell)
    }
    store<u32>(state, load<u32>(state, stateFilled) + filled, stateFilled)
  }
}

function addElements(state: usize, kind: u32, list: Cell): void {
  for (let index: usize = 0; index < list.length; index++) {
    const element = elementAt(list, index)
    if (!isNull(element)) addValue(state, kind, element)
  }
}

/** The bounds of a value that came before are known. */
@inline
function addValue(state: usize, kind: u32, cell: Cell): void {
  let address: usize = cell.address
  let length: usize = cell.length
  if (kind == floatKind && length == 2 && load<u16>(address) == 0x302d) {
    // Zero has no sign.
    address++
    length--
  }
  if (load<u32>(state, stateIsClosed) == 0 && countValue(state, address, length) == counted) return
  if (kind == textKind || kind == booleanKind) boundText(state, address, length)
  else if (kind == floatKind) boundFloat(state, address, length)
  else boundInteger(state, address, length)
}
