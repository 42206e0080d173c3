import { copyBytes, fits, maskOf, put, slack } from '../bytes'
import {
  Cell,
  Column,
  elementAt,
  floatKind,
  isNull,
  isText,
  noRoom,
  notSure,
  textBytes,
  toCell,
  toColumn,
} from './encode-cells'
import { expectKnown, formatScalar, hasUnknown, meetUnknown } from './encode-scalars'

const backslash: u8 = 0x5c
const quote: u8 = 0x22

/** Writes `count` rows as PostgreSQL's COPY text between `to` and `limit`. Returns how many bytes, or `noRoom` or `notSure`. */
export function encodeCopy(
  rows: usize,
  count: usize,
  rowBytes: usize,
  columns: usize,
  columnCount: usize,
  to: usize,
  limit: usize,
): i32 {
  expectKnown()
  const start = to
  for (let row = rows; row < rows + count * rowBytes; row += rowBytes) {
    for (let index: usize = 0; index < columnCount; index++) {
      const column = toColumn(columns, index)
      const cell = toCell(row, column)
      if (isNull(cell)) {
        if (!fits(to, slack, limit)) return noRoom
        to = put(put(to, backslash), 0x4e)
      } else {
        // The most is an element of nothing but backslashes: each is four.
        if (!fits(to, 4 * (textBytes(cell, column) as u64) + 4 * slack, limit)) return noRoom
        to = column.isList ? writeList(to, cell, column) : writeValue(to, cell, column)
      }
      to = put(to, 0x09)
    }
    store<u8>(to - 1, 0x0a)
  }
  return hasUnknown ? notSure : ((to - start) as i32)
}

@inline
function writeValue(to: usize, cell: Cell, column: Column): usize {
  return isText(column) ? writeText(to, cell.address, cell.length, false) : writeScalar(to, cell, column)
}

/** A float's zero keeps its sign. */
function writeScalar(to: usize, cell: Cell, column: Column): usize {
  return column.kind == floatKind ? copyBytes(to, cell.address, cell.length) : formatScalar(to, cell, column)
}

/** An array literal: texts are quoted, and none of the other types has a character that would have to be. */
function writeList(to: usize, list: Cell, column: Column): usize {
  to = put(to, 0x7b)
  for (let index: usize = 0; index < list.length; index++) {
    if (index > 0) to = put(to, 0x2c)
    const element = elementAt(list, index)
    if (isNull(element)) {
      store<u32>(to, 0x4c4c554e) // NULL
      to += 4
    } else if (isText(column)) to = put(writeText(put(to, quote), element.address, element.length, true), quote)
    else to = writeScalar(to, element, column)
  }
  return put(to, 0x7d)
}

/** Within an element quotes and backslashes have one more backslash before them, which is escaped itself. */
@inline
function writeText(to: usize, from: usize, length: usize, isElement: bool): usize {
  const highest = i8x16.splat(0x0d)
  const backslashes = i8x16.splat(backslash)
  const quotes = i8x16.splat(quote)
  for (let at: usize = 0; at < length;) {
    const bytes = v128.load(from + at)
    let special = v128.or(i8x16.le_u(bytes, highest), i8x16.eq(bytes, backslashes))
    if (isElement) special = v128.or(special, i8x16.eq(bytes, quotes))
    const found = maskOf(special, length - at)
    v128.store(to, bytes)
    const plain = found == 0 ? min<usize>(16, length - at) : (ctz(found) as usize)
    to += plain
    at += plain
    if (found != 0) to = writeSign(to, load<u8>(from + at++), isElement)
  }
  return to
}

/** Characters that may have to be escaped: the control characters up to the carriage return among them. */
function writeSign(to: usize, sign: u8, isElement: bool): usize {
  switch (sign) {
    case 0x09:
      return put(put(to, backslash), 0x74)
    case 0x0a:
      return put(put(to, backslash), 0x6e)
    case 0x0d:
      return put(put(to, backslash), 0x72)
    case quote:
      return put(put(put(to, backslash), backslash), quote)
    case backslash: {
      to = put(put(to, backslash), backslash)
      return isElement ? put(put(to, backslash), backslash) : to
    }
    // PostgreSQL can't store it: the reference path reports it.
    case 0x00:
      meetUnknown()
  }
  return put(to, sign)
}
