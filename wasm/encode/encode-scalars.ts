import { copyBytes, put } from '../bytes'
import { Cell, Column, dateKind, decimalKind, floatKind, millisecondsKind, secondsKind } from './encode-cells'
import { formatDate, formatTimestamp, isDay, isDateTime } from './encode-times'
import { parseInteger } from '../parse-number'

/** Set at a value that only the reference path can write: the bytes written so far are dropped. */
export let hasUnknown: bool = false

export function expectKnown(): void {
  hasUnknown = false
}

export function meetUnknown(): void {
  hasUnknown = true
}

/** Writes a value that is neither text nor json as CSV and NDJSON show it, and returns the end. */
export function formatScalar(to: usize, cell: Cell, column: Column): usize {
  const address: usize = cell.address
  const length: usize = cell.length
  switch (column.kind) {
    case floatKind:
      return isMinusZero(address, length) ? put(to, 0x30) : copyBytes(to, address, length)
    case millisecondsKind:
      return formatMilliseconds(to, parseInteger(address, length))
    case secondsKind:
      return formatMoment(to, parseInteger(address, length), 0)
    case dateKind:
      return formatDay(to, parseInteger(address, length))
    case decimalKind:
      return formatDecimal(to, address, length, column.scale)
    default:
      return copyBytes(to, address, length)
  }
}

/** The only float whose text is not what JavaScript prints: a record batch keeps its sign. */
function isMinusZero(address: usize, length: usize): bool {
  return length == 2 && load<u16>(address) == 0x302d
}

function formatMilliseconds(to: usize, milliseconds: i64): usize {
  const seconds = milliseconds / 1000 - ((milliseconds % 1000 < 0) as i64)
  return formatMoment(to, seconds, (milliseconds - seconds * 1000) as i32)
}

function formatMoment(to: usize, seconds: i64, milliseconds: i32): usize {
  if (isDateTime(seconds * 1000 + milliseconds)) return formatTimestamp(to, seconds, milliseconds)
  hasUnknown = true
  return to
}

function formatDay(to: usize, days: i64): usize {
  if (isDay(days)) return formatDate(to, days as i32)
  hasUnknown = true
  return to
}

/** Exactly `scale` digits behind the point, at least one before it. */
function formatDecimal(to: usize, address: usize, length: usize, scale: usize): usize {
  if (scale == 0) return copyBytes(to, address, length)
  if (load<u8>(address) == 0x2d) {
    to = put(to, 0x2d)
    address++
    length--
  }
  if (length <= scale) {
    to = put(put(to, 0x30), 0x2e)
    for (let zeros = scale - length; zeros > 0; zeros--) to = put(to, 0x30)
    return copyBytes(to, address, length)
  }
  to = put(copyBytes(to, address, length - scale), 0x2e)
  return copyBytes(to, address + length - scale, scale)
}
