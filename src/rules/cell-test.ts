import type { RulePlan } from '../plan/rules/rule-plan.ts'
import type { ColumnLayout } from '../scan/table-memory.ts'

/** True for the bytes of a value that a rule surely allows; false says nothing. */
export type SurelyAllows = (bytes: Uint8Array, start: number, end: number) => boolean

/** A quick test of the values as the cells of a column hold them; null where none is quicker than that of the text. */
export function compileCellTest({ test }: RulePlan, { type, seconds }: ColumnLayout): SurelyAllows | null {
  if (test.kind === 'in' && !seconds) return compileListed(test.values)
  if (test.kind !== 'range' || !wholeKinds.has(type.kind)) return null
  const [from, to] = [Number(test.from ?? -Infinity), Number(test.to ?? Infinity)]
  const unit = seconds ? 1000 : 1
  if ([from, to].some((bound) => Number.isFinite(bound) && !Number.isSafeInteger(bound))) return null
  return (bytes, start, end) => {
    const value = readWhole(bytes, start, end) * unit
    return value >= from && value <= to
  }
}

const wholeKinds = new Set(['integer', 'timestamp', 'date', 'decimal'])

function compileListed(values: readonly string[]): SurelyAllows {
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
