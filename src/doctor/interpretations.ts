import { answerInterpretations } from './interpretations/answer-interpretations.ts'
import type { Interpretation } from './interpretations/interpretation.ts'
import { requestInterpretations } from './interpretations/request-interpretations.ts'
import { valueInterpretations } from './interpretations/value-interpretations.ts'

/**
 * Every interpretation of the specification that runs depend on, by name. `doctor` checks those that a reading request
 * can decide, and docs/service.md lists them all. Assumptions about single endpoints are in
 * `src/service/endpoints/endpoints.ts`; forms that single fields accept are in the contracts.
 */
export const interpretations = {
  ...requestInterpretations,
  ...answerInterpretations,
  ...valueInterpretations,
} as const

export type InterpretationName = keyof typeof interpretations

export const interpretationNames = Object.keys(interpretations) as InterpretationName[]

export function interpretationOf(name: InterpretationName): Interpretation {
  return interpretations[name]
}
