import type { ConditionTest } from './table-plan.ts'

/** The codes of lists that records brought; see `ConditionTest`. */
export type FoundCodes = Set<string>

/** Tests what is found at the path of a condition. */
export type Match = (value: unknown, found: FoundCodes) => boolean

/** On a list, `in`, `listed` and ranges hold when any element meets them, and `not` when none has one of the values. */
export function compileTest(test: ConditionTest): Match {
  switch (test.kind) {
    case 'in': {
      const isIn = isOneOf(test.values)
      return (value) => (Array.isArray(value) ? value.some(isIn) : isIn(value))
    }
    case 'not': {
      const isIn = isOneOf(test.values)
      return (value) => (Array.isArray(value) ? !value.some(isIn) : !isIn(value))
    }
    case 'range': {
      const { from, until } = test
      const isInside = (value: unknown) =>
        (typeof value === 'number' || typeof value === 'bigint') &&
        (from === null || value >= from) &&
        (until === null || value <= until)
      return (value) => (Array.isArray(value) ? value.some(isInside) : isInside(value))
    }
    case 'listed':
      return compileListed(test.codes)
  }
}

function compileListed(listed: readonly string[]): Match {
  const codes = new Set(listed)
  const isListed = (value: unknown, found: FoundCodes) => {
    const code = toComparableCode(value)
    if (code === '' || !codes.has(code)) return false
    found.add(code)
    return true
  }
  return (value, found) =>
    Array.isArray(value) ? value.filter((each) => isListed(each, found)).length > 0 : isListed(value, found)
}

function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const wanted = new Set(values)
  return (value) => wanted.has(value ?? null)
}

/** A code in the form in which lists and records are compared: leading zeros come and go. Nothing for what is no code. */
export function toComparableCode(code: unknown): string {
  const text = typeof code === 'string' || typeof code === 'number' || typeof code === 'bigint' ? String(code) : ''
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text
}
