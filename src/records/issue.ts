import type { z } from 'zod'

/** One reason why a line was rejected. */
export interface Issue {
  /** Stable: `invalid_json`, `invalid_utf8`, `line_too_long`, `invalid_type`, `unknown_field`, `duplicate_id`, … */
  readonly code: string
  /** Where in the record: `photos[0].displayOrder`; empty for the whole line. */
  readonly path: string
  /** What was expected and what came. */
  readonly message: string
}

/** The issues of a zod verdict, in our own words. */
export function toIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.map((issue) => ({
    code: issue.code === 'custom' ? 'invalid_type' : issue.code,
    path: formatPath(issue.path),
    message: issue.message,
  }))
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}
