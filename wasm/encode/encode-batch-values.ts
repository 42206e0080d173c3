import { closeBuffer, position, writeValidity } from './encode-batch-buffers'
import { copyBytes, fits, slack } from '../bytes'
import {
  booleanKind,
  Cell,
  Column,
  dateKind,
  decimalKind,
  floatKind,
  isNull,
  isText,
  millisecondsKind,
  secondsKind,
} from './encode-cells'
import { meetUnknown } from './encode-scalars'
import { isDay, isDateTime } from './encode-times'
import { writeInt128 } from './encode-int128'
import { parseFloat64 } from '../parse-number'
import { parseDigits, parseInteger } from '../parse-number'

/** The validity and the values of `count` cells that lie `stride` apart. False where there is no room. */
export function writeValues(cells: usize, count: usize, stride: usize, column: Column, limit: usize): bool {
  const bytes: usize = isText(column) ? sumLengths(cells, count, stride) : 0
  if (!fits(position(), (bytes as u64) + (count as u64) * 20 + 8 * slack, limit)) return false
  writeValidity(cells, count, stride)
  if (isText(column)) writeTexts(cells, count, stride)
  else if (column.kind == booleanKind) writeBooleans(cells, count, stride)
  else writeNumbers(cells, count, stride, column)
  return true
}

function sumLengths(cells: usize, count: usize, stride: usize): usize {
  let bytes: usize = 0
  for (let index: usize = 0; index < count; index++) {
    const cell = changetype<Cell>(cells + index * stride)
    if (!isNull(cell)) bytes += cell.length
  }
  return bytes
}

function writeTexts(cells: usize, count: usize, stride: usize): void {
  let offset = position()
  closeBuffer((count + 1) * 4)
  const start = position()
  let to = start
  store<u32>(offset, 0)
  for (let index: usize = 0; index < count; index++) {
    const cell = changetype<Cell>(cells + index * stride)
    if (!isNull(cell)) to = copyBytes(to, cell.address, cell.length)
    offset += 4
    store<u32>(offset, to - start)
  }
  closeBuffer(to - start)
}

/** Without nulls among the set bits: a missing value is false, as every missing value is zero. */
function writeBooleans(cells: usize, count: usize, stride: usize): void {
  const to = position()
  let bits: u32 = 0
  for (let index: usize = 0; index < count; index++) {
    const cell = changetype<Cell>(cells + index * stride)
    const isTrue: bool = !isNull(cell) && load<u8>(cell.address) == 0x74
    bits |= (isTrue as u32) << ((index as u32) & 7)
    if ((index & 7) != 7) continue
    store<u8>(to + (index >> 3), bits)
    bits = 0
  }
  store<u8>(to + (count >> 3), bits)
  closeBuffer((count + 7) >> 3)
}

function writeNumbers(cells: usize, count: usize, stride: usize, column: Column): void {
  const kind = column.kind
  const width: usize = kind == dateKind ? 4 : kind == decimalKind ? 16 : 8
  let to = position()
  for (let index: usize = 0; index < count; index++) {
    const cell = changetype<Cell>(cells + index * stride)
    if (!isNull(cell)) writeNumber(to, cell, column)
    else if (width == 4) store<u32>(to, 0)
    else {
      store<u64>(to, 0)
      if (width == 16) store<u64>(to, 0, 8)
    }
    to += width
  }
  closeBuffer(to - position())
}

@inline
function writeNumber(to: usize, cell: Cell, column: Column): void {
  const address: usize = cell.address
  const length: usize = cell.length
  switch (column.kind) {
    case floatKind:
      return store<f64>(to, parseFloat64(address, length))
    case millisecondsKind:
      return writeMilliseconds(to, parseInteger(address, length))
    case secondsKind:
      return writeMilliseconds(to, parseInteger(address, length) * 1000)
    case dateKind:
      return writeDay(to, parseInteger(address, length))
    case decimalKind:
      return writeDecimal(to, address, length, column.precision)
    default:
      return writeInt64(to, address, length)
  }
}

function writeMilliseconds(to: usize, milliseconds: i64): void {
  if (!isDateTime(milliseconds)) meetUnknown()
  store<i64>(to, milliseconds)
}

function writeDay(to: usize, days: i64): void {
  if (!isDay(days)) meetUnknown()
  store<i32>(to, days as i32)
}

function writeInt64(to: usize, address: usize, length: usize): void {
  const isNegative = load<u8>(address) == 0x2d
  const digits = length - (isNegative ? 1 : 0)
  if (digits > 19) return meetUnknown()
  const magnitude = parseDigits(address + length - digits, address + length)
  if (magnitude > (i64.MAX_VALUE as u64) + (isNegative as u64)) return meetUnknown()
  store<u64>(to, isNegative ? 0 - magnitude : magnitude)
}

function writeDecimal(to: usize, address: usize, length: usize, precision: u32): void {
  const isNegative = load<u8>(address) == 0x2d
  const digits = length - (isNegative ? 1 : 0)
  if (digits > (precision as usize)) return meetUnknown()
  writeInt128(to, address + length - digits, digits, isNegative)
}
