import { compareDigits } from '../../types/canonical-text.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { Comparison, Range } from './condition.ts'

/** True for the bytes of a value that surely passes; false says nothing. */
export type SurelyPasses = (bytes: Uint8Array, start: number, end: number) => boolean

/**
 * A quick test of canonical texts of a column; null if none is quicker than that of values. `seconds`: times are in seconds, those of
 * the test in milliseconds.
 */
export function compileByteTest(
  test: Comparison<number | bigint>,
  { type, seconds }: { readonly type: ColumnType; readonly seconds: boolean },
): SurelyPasses | null {
  if (test.kind === 'range')
    return typeOf(type).compare === compareDigits ? compileRange(test, seconds ? 1000 : 1) : null
  if (seconds) return null
  const isListed = compileListed(test.values.map(String))
  if (test.kind === 'in') return isListed
  // Numbers and times may be written in several ways, as the sign of a zero is.
  return type.kind === 'text' ? (...value) => !isListed(...value) : null
}

function compileRange({ from, until }: Range<number | bigint>, unit: number): SurelyPasses | null {
  const [low, high] = [Number(from ?? -Infinity), Number(until ?? Infinity)]
  if ([low, high].some((bound) => Number.isFinite(bound) && !Number.isSafeInteger(bound))) return null
  return (bytes, start, end) => {
    const value = readWhole(bytes, start, end) * unit
    return value >= low && value <= high
  }
}

function compileListed(values: readonly string[]): SurelyPasses {
  const listed = values.map((value) => Buffer.from(value))
  return (bytes, start, end) => listed.some((value) => isAt(value, bytes, start, end))
}

function isAt(value: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== value.length) return false
  for (let at = 0; at < value.length; at++) if (bytes[start + at] !== value[at]) return false
  return true
}

/** The number that digits write; NaN for one of more digits than a number surely has. */
function readWhole(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > mostDigits) return Number.NaN
  const isNegative = bytes[start] === minus
  let value = 0
  for (let at = isNegative ? start + 1 : start; at < end; at++) value = value * 10 + ((bytes[at] as number) - zero)
  return isNegative ? -value : value
}

/** Milliseconds of seconds with as many digits are not rounded either. */
const mostDigits = 12
const minus = 0x2d
const zero = 0x30
