import { answerInterpretations } from './interpretations/answer-interpretations.ts'
import type { Interpretation } from './interpretations/interpretation.ts'
import { requestInterpretations } from './interpretations/request-interpretations.ts'
import { valueInterpretations } from './interpretations/value-interpretations.ts'

/**
 * Every reading of the specification that runs depend on, by name. `doctor` asks a service about those that a reading
 * request can tell; docs/service.md is made from all of them. The assumption about a single endpoint is in
 * `src/service/endpoints/endpoints.ts`, the forms that a single field accepts are in the contracts.
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
