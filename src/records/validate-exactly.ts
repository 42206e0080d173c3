import type { Contract } from '../contracts/contracts.ts'
import type { Drift } from './drift.ts'
import { mayLoseDigits } from './json-text.ts'
import { findLostNumbers } from './lost-numbers.ts'
import { parseText, type ParsedLine } from './parse-line.ts'
import type { Validate, Verdict } from './validate-record.ts'

export type RecordLine = Extract<ParsedLine, { kind: 'record' }>

/** A verdict, with the delivered record that it is about: parsed again where that was needed. */
export type ExactVerdict = Verdict & { readonly delivered: unknown }

/**
 * Judges a record with every digit of its numbers: where JSON.parse has rounded some it is parsed again. A number of
 * the contract that would lose a digit is an issue. Only lines with long numbers pay for that.
 */
export function validateExactly(
  { fields }: Pick<Contract, 'fields'>,
  validate: Validate,
): (line: Pick<RecordLine, 'delivered' | 'text' | 'numbers'>, drift: Drift, mayChange?: boolean) => ExactVerdict {
  return (line, drift, mayChange) => {
    const { delivered } = line
    if (line.numbers === 'plain' || (line.numbers === 'rounded' && !mayLoseDigits(line.text))) {
      return { ...validate(delivered, drift, mayChange), delivered }
    }
    const exact = line.numbers === 'rounded' ? parseRounded(line) : delivered
    const issues = findLostNumbers(fields, exact)
    if (issues.length > 0) return { record: null, issues, isChanged: false, delivered: exact }
    return { ...validate(exact, drift), delivered: exact }
  }
}

function parseRounded({ text, delivered }: Pick<RecordLine, 'delivered' | 'text'>): unknown {
  const exact = parseText(text, true)
  return exact.kind === 'record' ? exact.delivered : delivered
}
