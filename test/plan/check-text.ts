import { expect } from 'vitest'
import { checkPipeline, type CheckedPipeline, type CheckOptions } from '../../src/plan/check-pipeline.ts'
import { parseConfigText, type LocatedProblem } from '../../src/config/config-document.ts'

const now = Date.UTC(2026, 0, 1)

/** The problems of a config as text, as `check` lists them: `line:column message; did you mean "…"?`. */
export function checkText(text: string, options: Partial<CheckOptions> = {}): string[] {
  return locateProblems(text, options).map(formatProblem)
}

/** The same with everything that is known of each. */
export function locateProblems(text: string, options: Partial<CheckOptions> = {}): LocatedProblem[] {
  const document = parseConfigText('config.yaml', text)
  if (!document.isUnderstood) return [...document.problems]
  const { problems } = checkValue(document.value, options)
  const all = [...document.problems, ...problems.map(document.locate)]
  return all.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

export function checkValue(value: unknown, options: Partial<CheckOptions> = {}): CheckedPipeline {
  return checkPipeline(value, { env: {}, needsService: false, now, ...options })
}

/** A text as it is, or any that a pattern finds something in. */
export function like(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected)
}

function formatProblem({ line, column, message, suggestion }: LocatedProblem): string {
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return `${line}:${column} ${message}${hint}`
}
