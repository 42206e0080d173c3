import type { Contract } from '../../contracts/contracts.ts'
import { countDuplicateKey, type Drift } from '../drift.ts'
import { mayLoseDigits } from '../json/json-text.ts'
import { findLostNumbers } from './lost-numbers.ts'
import { parseText, type ParsedLine } from '../parse-line.ts'
import { compileRepeatedKeys } from '../json/repeated-keys.ts'
import type { DriftPolicy, Validate, Verdict } from './validate-record.ts'

export type RecordLine = Extract<ParsedLine, { kind: 'record' }>

/** A verdict, with the delivered record that it is about: parsed again where that was needed. */
export type ExactVerdict = Verdict & { readonly delivered: unknown }

/** The line of a record, as far as a verdict needs it. */
type JudgedLine = Pick<RecordLine, 'delivered' | 'text' | 'numbers' | 'mayRepeatKeys'>
type Judge = (line: JudgedLine, drift: Drift, mayChange?: boolean) => ExactVerdict

/**
 * Judges a record with every digit of its numbers, and counts the keys that its objects have twice: both are no longer in
 * what JSON.parse has made of the line. Only lines with long numbers, or with repeated keys, pay for that.
 */
export function validateExactly(
  { fields }: Pick<Contract, 'fields'>,
  validate: Validate,
  { unknownFields }: Pick<DriftPolicy, 'unknownFields'>,
): Judge {
  const judge = judgeExactly(fields, validate)
  const findRepeated = compileRepeatedKeys(fields, unknownFields)
  return (line, drift, mayChange) => {
    const verdict = judge(line, drift, mayChange)
    const counts = line.mayRepeatKeys && verdict.issues === null
    if (counts) findRepeated(line.text, (path) => countDuplicateKey(drift, path))
    return verdict
  }
}

/** A line whose numbers JSON.parse has rounded is parsed again. A number of the contract that would lose a digit is an issue. */
function judgeExactly(fields: Contract['fields'], validate: Validate): Judge {
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
