import { findSyntaxFault } from '../../records/json/find-syntax-fault.ts'
import { findValue } from '../../records/json/find-value.ts'
import type { Issue } from '../../records/reject.ts'

/** A part of a raw line, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The part of the raw line that an issue is about: the value at its path, the nearest value around it if that is
 * missing, the fault of a line that is no JSON, or else the beginning.
 */
export function locateIssue(raw: string, { code, path }: Pick<Issue, 'code' | 'path'>): Span {
  const fault = path === '' ? findFault(raw, code) : null
  if (fault !== null) return { start: fault, end: Math.min(fault + 1, raw.length) }
  try {
    const { start, end, isWhole } = findValue(raw, path)
    // Around a missing value, only the first character is marked.
    return isWhole ? { start, end } : { start, end: Math.min(start + 1, end) }
  } catch (error) {
    if (error instanceof SyntaxError) return { start: 0, end: 0 }
    throw error
  }
}

function findFault(raw: string, code: string): number | null {
  if (code === 'invalid_json') return findSyntaxFault(raw)
  if (code === 'invalid_utf8') return Math.max(0, raw.indexOf('\ufffd'))
  if (code === 'invalid_unicode') return Math.max(0, raw.search(/\\u[dD][89a-fA-F]/))
  return code === 'line_too_long' || code === 'too_deep' ? 0 : null
}
