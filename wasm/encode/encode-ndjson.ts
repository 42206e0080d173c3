import { copyBytes, fits, maskOf, maskOfTwo, put, slack } from '../bytes'
import {
  Cell,
  Column,
  dateKind,
  decimalKind,
  elementAt,
  floatKind,
  isNull,
  jsonKind,
  millisecondsKind,
  noRoom,
  notSure,
  secondsKind,
  textBytes,
  textKind,
  toCell,
  toColumn,
} from './encode-cells'
import { expectKnown, formatScalar, hasUnknown, meetUnknown } from './encode-scalars'

/** Writes `count` rows as lines of NDJSON between `to` and `limit`. Returns how many bytes, or `noRoom` or `notSure`. */
export function encodeNdjson(
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
      const bytes = isNull(cell) ? (0 as usize) : textBytes(cell, column)
      if (!fits(to, 6 * (bytes as u64) + column.keyLength + 4 * slack, limit)) return noRoom
      to = copyBytes(to, columns + column.key, column.keyLength)
      if (column.isList && !isNull(cell)) to = writeList(to, cell, column)
      else to = writeValue(to, cell, column)
    }
    store<u16>(to, 0x0a7d) // }\n
    to += 2
  }
  return hasUnknown ? notSure : ((to - start) as i32)
}

function writeList(to: usize, list: Cell, column: Column): usize {
  to = put(to, 0x5b)
  for (let index: usize = 0; index < list.length; index++) {
    if (index > 0) to = put(to, 0x2c)
    to = writeValue(to, elementAt(list, index), column)
  }
  return put(to, 0x5d)
}

@inline
function writeValue(to: usize, cell: Cell, column: Column): usize {
  if (isNull(cell)) {
    store<u32>(to, 0x6c6c756e) // null
    return to + 4
  }
  switch (column.kind) {
    case textKind:
      return writeString(to, cell.address, cell.length)
    case jsonKind:
      return writeJson(to, cell.address, cell.length)
    case millisecondsKind:
    case secondsKind:
    case dateKind:
    case decimalKind:
      return put(formatScalar(put(to, 0x22), cell, column), 0x22)
    case floatKind:
      if (!isFinite(cell)) meetUnknown()
      return formatScalar(to, cell, column)
    default:
      return formatScalar(to, cell, column)
  }
}

/** The text of an infinity and of what is no number ends in a letter. */
function isFinite(cell: Cell): bool {
  return load<u8>((cell.address as usize) + cell.length - 1) <= 0x39
}

function writeString(to: usize, from: usize, length: usize): usize {
  to = put(to, 0x22)
  for (let at: usize = 0; at < length;) {
    const first = v128.load(from + at)
    const second = v128.load(from + at, 16)
    v128.store(to, first)
    v128.store(to, second, 16)
    const found = maskOfTwo(findEscaped(first), findEscaped(second), length - at)
    const plain = found == 0 ? min<usize>(32, length - at) : (ctz(found) as usize)
    to += plain
    at += plain
    if (found != 0) to = writeEscape(to, load<u8>(from + at++))
  }
  return put(to, 0x22)
}

/** The bytes that are written as escapes. */
@inline
function findEscaped(bytes: v128): v128 {
  return v128.or(
    v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    v128.lt<u8>(bytes, i8x16.splat(0x20)),
  )
}

/** Escapes as JSON.stringify does: a letter where JSON has one, else the four hexadecimal digits. */
function writeEscape(to: usize, byte: u8): usize {
  to = put(to, 0x5c)
  switch (byte) {
    case 0x08:
      return put(to, 0x62)
    case 0x09:
      return put(to, 0x74)
    case 0x0a:
      return put(to, 0x6e)
    case 0x0c:
      return put(to, 0x66)
    case 0x0d:
      return put(to, 0x72)
    case 0x22:
    case 0x5c:
      return put(to, byte)
    default:
      store<u32>(to, 0x30303075) // u000
      store<u8>(to, 0x30 + (byte >> 4), 3)
      return put(to + 4, (byte & 15) + ((byte & 15) < 10 ? 0x30 : 0x57))
  }
}

/** JSON text on one line: a run of line breaks, which occur only between tokens there, becomes a space. */
function writeJson(to: usize, from: usize, length: usize): usize {
  const returns = i8x16.splat(0x0d)
  const newlines = i8x16.splat(0x0a)
  let isInRun = false
  for (let at: usize = 0; at < length;) {
    const bytes = v128.load(from + at)
    const found = maskOf(v128.or(i8x16.eq(bytes, returns), i8x16.eq(bytes, newlines)), length - at)
    v128.store(to, bytes)
    const plain = found == 0 ? min<usize>(16, length - at) : (ctz(found) as usize)
    to += plain
    at += plain
    if (plain > 0) isInRun = false
    if (found == 0) continue
    if (!isInRun) to = put(to, 0x20)
    isInRun = true
    at++
  }
  return to
}
