import { fits, maskOf, maskOfTwo, put, slack } from '../bytes'
import { Cell, Column, decimalKind, elementAt, floatKind, isNull, isText, noRoom, notSure, textBytes, toCell, toColumn } from './encode-cells'
import { expectKnown, formatScalar, hasUnknown } from './encode-scalars'

let delimiter: u8 = 0
let quote: u8 = 0
let listSeparator: u8 = 0
let quoteAll: bool = false
let escapeFormulas: bool = false
let crlf: bool = false
let decimalComma: bool = false

/** The dialect of the calls of encodeCsv that follow. */
export function setCsvDialect(
  delimiterByte: u8,
  quoteByte: u8,
  separatorByte: u8,
  all: bool,
  formulas: bool,
  cr: bool,
  comma: bool,
): void {
  delimiter = delimiterByte
  quote = quoteByte
  listSeparator = separatorByte
  quoteAll = all
  escapeFormulas = formulas
  crlf = cr
  decimalComma = comma
}

/** Writes `count` rows as lines of CSV between `to` and `limit`. Returns how many bytes, or `noRoom` or `notSure`. */
export function encodeCsv(
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
      if (!isNull(cell)) {
        const bytes = textBytes(cell, column)
        if (!fits(to, 4 * (bytes as u64) + 4 * slack, limit)) return noRoom
        to = column.isList ? writeList(to, cell, column, limit - 2 * bytes - slack) : writeCell(to, cell, column)
      } else if (!fits(to, slack, limit)) return noRoom
      to = put(to, delimiter)
    }
    to = endLine(to - 1)
  }
  return hasUnknown ? notSure : ((to - start) as i32)
}

function endLine(to: usize): usize {
  if (crlf) to = put(to, 0x0d)
  return put(to, 0x0a)
}

@inline
function writeCell(to: usize, cell: Cell, column: Column): usize {
  if (isText(column)) return writeText(to, cell.address, cell.length, escapeFormulas)
  if (!quoteAll) return writeScalar(to, cell, column)
  return put(writeScalar(put(to, quote), cell, column), quote)
}

@inline
function writeScalar(to: usize, cell: Cell, column: Column): usize {
  const end = formatScalar(to, cell, column)
  if (decimalComma && (column.kind == floatKind || column.kind == decimalKind)) replacePoint(to, end)
  return end
}

function replacePoint(from: usize, end: usize): void {
  for (let at = from; at < end; at++) {
    if (load<u8>(at) != 0x2e) continue
    store<u8>(at, 0x2c)
    return
  }
}

/** Joins the elements in `scratch`, which has room for twice their text. */
function writeList(to: usize, list: Cell, column: Column, scratch: usize): usize {
  let end = scratch
  for (let index: usize = 0; index < list.length; index++) {
    if (index > 0) end = put(end, listSeparator)
    const element = elementAt(list, index)
    if (isNull(element)) continue
    end = isText(column) ? writeElement(end, element.address, element.length) : writeScalar(end, element, column)
  }
  return writeText(to, scratch, end - scratch, escapeFormulas && isText(column))
}

/** Writes a backslash before every separator and every backslash. */
function writeElement(to: usize, from: usize, length: usize): usize {
  const separators = i8x16.splat(listSeparator)
  const backslashes = i8x16.splat(0x5c)
  for (let at: usize = 0; at < length;) {
    const bytes = v128.load(from + at)
    const special = maskOf(v128.or(i8x16.eq(bytes, separators), i8x16.eq(bytes, backslashes)), length - at)
    v128.store(to, bytes)
    const plain = special == 0 ? min<usize>(16, length - at) : (ctz(special) as usize)
    to += plain
    at += plain
    if (special == 0) continue
    to = put(put(to, 0x5c), load<u8>(from + at++))
  }
  return to
}

/** Writes text, in quotes where it needs them: a first pass that copies ends where it finds the reason. */
@inline
function writeText(to: usize, from: usize, length: usize, mayBeFormula: bool): usize {
  const isFormula = mayBeFormula && beginsFormula(from, length)
  if (quoteAll || length == 0 || (isFormula && (quote == 0x27 || delimiter == 0x27)))
    return writeQuoted(to, from, length, isFormula)
  const end = isFormula ? put(to, 0x27) : to
  for (let at: usize = 0; at < length; at += 32) {
    const first = v128.load(from + at)
    const second = v128.load(from + at, 16)
    v128.store(end + at, first)
    v128.store(end + at, second, 16)
    if (maskOfTwo(findReasons(first), findReasons(second), length - at) != 0)
      return writeQuoted(to, from, length, isFormula)
  }
  return end + length
}

/** The bytes for which text has to be quoted. */
@inline
function findReasons(bytes: v128): v128 {
  return v128.or(
    v128.or(i8x16.eq(bytes, i8x16.splat(delimiter)), i8x16.eq(bytes, i8x16.splat(quote))),
    v128.or(i8x16.eq(bytes, i8x16.splat(0x0d)), i8x16.eq(bytes, i8x16.splat(0x0a))),
  )
}

/** Writes text between quotes, every quote in it twice. */
function writeQuoted(to: usize, from: usize, length: usize, isFormula: bool): usize {
  const quotes = i8x16.splat(quote)
  to = put(to, quote)
  if (isFormula) to = quote == 0x27 ? put(put(to, 0x27), 0x27) : put(to, 0x27)
  for (let at: usize = 0; at < length;) {
    const bytes = v128.load(from + at)
    const found = maskOf(i8x16.eq(bytes, quotes), length - at)
    v128.store(to, bytes)
    const copied = found == 0 ? min<usize>(16, length - at) : (ctz(found) as usize) + 1
    to += copied
    at += copied
    if (found != 0) to = put(to, quote)
  }
  return put(to, quote)
}

/** The ASCII and the full-width signs that spreadsheet programs take for the beginning of a formula. */
function beginsFormula(from: usize, length: usize): bool {
  if (length == 0) return false
  const first = load<u8>(from)
  if (first == 0x3d || first == 0x2b || first == 0x2d || first == 0x40 || first == 0x09 || first == 0x0d) return true
  if (length < 3 || first != 0xef || load<u8>(from, 1) != 0xbc) return false
  const third = load<u8>(from, 2)
  return third == 0x9d || third == 0x8b || third == 0x8d || third == 0xa0
}
