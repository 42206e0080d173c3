import type { RuleTest } from '../plan/rules/rule-plan.ts'
import { compileOrder } from '../profile/value-order.ts'
import { toByteString } from '../profile/value-counter.ts'
import type { ColumnType } from '../records/flatten/column.ts'

/** True for a value that a rule allows; values are byte strings of their canonical texts. */
export type AllowValue = (text: string) => boolean

/** A test of the values of a column; null for a rule that is on no value alone. */
export function compileRuleTest(test: RuleTest, type: ColumnType): AllowValue | null {
  switch (test.kind) {
    case 'range':
      return compileRange(test, type)
    case 'in':
      return compileValues(test, type, true)
    case 'not':
      return compileValues(test, type, false)
    case 'matches': {
      const pattern = new RegExp(test.pattern, 'u')
      return (text) => pattern.test(beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString() : text)
    }
    case 'filled':
    case 'unique':
    case 'rows':
      return null
  }
}

function compileRange({ from, to }: Extract<RuleTest, { kind: 'range' }>, type: ColumnType): AllowValue {
  const compare = compileOrder(type)
  return (text) => (from === null || compare(text, from) >= 0) && (to === null || compare(text, to) <= 0)
}

function compileValues(
  { values, ranges = [] }: Extract<RuleTest, { kind: 'in' | 'not' }>,
  type: ColumnType,
  areAllowed: boolean,
): AllowValue {
  const listed = new Set(values.map((value) => toByteString(value)))
  const inside = ranges.map(({ from, until }) => compileRange({ kind: 'range', from, to: until }, type))
  const isFloat = type.kind === 'float'
  const isIn = (text: string) => listed.has(text) || inside.some((isInside) => isInside(text))
  // A float's zero may have a sign.
  return (text) => isIn(isFloat && text === '-0' ? '0' : text) === areAllowed
}

const beyondAscii = /[\u0080-\u00FF]/u
