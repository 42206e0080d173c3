import { z } from 'zod'
import { closest } from '../../text/choices.ts'
import { showValue } from '../../text/show-value.ts'

export interface RequestProblem {
  /**
   * The path within the request, so it begins with `filter`, `sorting` or `page`. A missing member is named by its key.
   */
  readonly path: (string | number)[]
  readonly message: string
  readonly suggestion?: string
  /** A note about a name that is sent unchecked; every run repeats it. */
  readonly isUnchecked?: true
}

export function errorText(what: string) {
  return { error: ({ input }: { readonly input?: unknown }) => `expected ${what}, got ${showValue(input)}` }
}

/** An object with no keys but those of `shape`; every other key is an issue of its own, at the key. */
export function closedObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  accepts: string,
  keyName = 'key',
  candidates: readonly string[] = Object.keys(shape),
) {
  const unknownKey = z.unknown().refine(() => false, {
    params: { candidates },
    error: ({ path = [] }) =>
      `unknown ${keyName} "${String(path.at(-1))}", expected ${candidates.length === 0 ? 'none' : formatChoices(candidates)}`,
  })
  // JSON Schema has no refinements; `not: {}` says the same.
  return z.object(shape, errorText(accepts)).catchall(unknownKey.meta({ not: {} }))
}

/** `one of "yes", "no"` */
export function formatChoices(values: readonly (string | number)[]): string {
  const shown = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? shown : `one of ${shown}`
}

/** The problems in an issue, which must hold its input (`reportInput`). */
export function toRequestProblems(issue: z.core.$ZodIssue, parentPath: (string | number)[] = []): RequestProblem[] {
  const path = [...parentPath, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))]
  const meant = branchMeant(issue)
  if (meant !== undefined) return meant.flatMap((inner) => toRequestProblems(inner, path))
  const suggestion = toSuggestion(issue)
  return [{ path, message: issue.message, ...(suggestion === undefined ? {} : { suggestion }) }]
}

/** The issues of the one form of a parameter that the value evidently has; undefined unless there is exactly one. */
function branchMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const branches = issue.errors.filter((branch) => branch.length > 0 && branch.every(isInsideItsForm))
  return branches.length === 1 ? branches[0] : undefined
}

/** True for an issue inside a value that itself has the right form. */
function isInsideItsForm(issue: z.core.$ZodIssue): boolean {
  const aboutContents = issue.code === 'custom' || issue.code === 'too_big' || issue.code === 'too_small'
  return issue.path.length > 0 || aboutContents || branchMeant(issue) !== undefined
}

function toSuggestion(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'custom' && Array.isArray(issue.params?.['candidates'])) {
    return closest(String(issue.path.at(-1)), issue.params['candidates'] as string[])
  }
  const values = valuesOf(issue)
  if (typeof issue.input === 'number') return nearest(issue.input, values)
  return typeof issue.input === 'string' ? closest(issue.input, values.map(String)) : undefined
}

function valuesOf(issue: z.core.$ZodIssue): unknown[] {
  if (issue.code === 'invalid_value') return issue.values
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(valuesOf) : []
}

function nearest(input: number, values: readonly unknown[]): string | undefined {
  const numbers = values.filter((value) => typeof value === 'number')
  const [first] = numbers.toSorted((left, right) => Math.abs(left - input) - Math.abs(right - input))
  return first === undefined ? undefined : String(first)
}
