import type { CompletePipelineConfig } from '../../config/pipeline-schema.ts'
import type { Problem } from '../../config/problem.ts'
import type { RulePlan } from '../pipeline-plan.ts'

/** An entry of `expect`. */
export type RuleConfig = CompletePipelineConfig['expect'][number]

/** The tests that an entry asks for, in the order of its members, or what is wrong with them. */
export interface PlannedTests {
  readonly tests: readonly Pick<RulePlan, 'test' | 'expected'>[]
  readonly problems: readonly Problem[]
}

/** `at least 1`, `at most 10`, `1 to 10` */
export function formatRange(from: string | undefined, to: string | undefined): string {
  if (to === undefined) return `at least ${from}`
  return from === undefined ? `at most ${to}` : `${from} to ${to}`
}
