import type { CompletePipelineConfig } from '../../config/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { RulePlan } from './rule-plan.ts'

/** An entry of `expect`. */
export type RuleConfig = CompletePipelineConfig['expect'][number]

/** The tests that an entry asks for, in the order of its members, or what is wrong with them. */
export interface PlannedTests {
  readonly tests: readonly Pick<RulePlan, 'test' | 'expected'>[]
  readonly problems: readonly Problem[]
}

interface Bounds {
  readonly to?: string | number | undefined
  readonly until?: string | number | undefined
}

/** The greatest value of a range and its key: `to` is the former name of `until`. */
export function lastOf({ to, until }: Bounds) {
  return to === undefined ? ({ key: 'until', last: until } as const) : ({ key: 'to', last: to } as const)
}

export function checkLast({ to, until }: Bounds, path: Problem['path']): Problem[] {
  if (to === undefined || until === undefined) return []
  const message = 'rule: expected until alone, got it beside to, which means the same'
  return [{ ...problemAt([...path, 'to'], message), atKey: true }]
}

/** `at least 1`, `at most 10`, `1 to 10` */
export function formatRange(from: string | undefined, to: string | undefined): string {
  if (to === undefined) return `at least ${from}`
  return from === undefined ? `at most ${to}` : `${from} to ${to}`
}
