import type { Drift } from './drift.ts'
import type { Issue } from './issue.ts'
import { mayLoseDigits } from './json-text.ts'
import { parseText, type ParsedLine } from './parse-line.ts'
import type { Validate, Verdict } from './validate-record.ts'

export type RecordLine = Extract<ParsedLine, { kind: 'record' }>

/** A verdict, with the delivered record that it is about: parsed again where that was needed. */
export type ExactVerdict = Verdict & { readonly delivered: unknown }

/**
 * JSON.parse rounds whole numbers beyond 2^53, and the contract refuses what may be rounded. Such a line is parsed
 * again with every digit kept, so that only lines with such numbers pay for it.
 */
export function validateExactly(
  validate: Validate,
): (line: Pick<RecordLine, 'delivered' | 'text'>, drift: Drift, mayChange?: boolean) => ExactVerdict {
  return ({ delivered, text }, drift, mayChange) => {
    const verdict = validate(delivered, drift, mayChange)
    const mayBeRounded = verdict.issues !== null && mayLoseDigits(text) && verdict.issues.some(isTypeIssue)
    if (!mayBeRounded) return { ...verdict, delivered }
    const exact = parseText(text, true)
    if (exact.kind !== 'record') return { ...verdict, delivered }
    return { ...validate(exact.delivered, drift), delivered: exact.delivered }
  }
}

function isTypeIssue({ code }: Issue): boolean {
  return code === 'invalid_type'
}
