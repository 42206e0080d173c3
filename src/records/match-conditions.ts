import { toComparableCode } from './comparable-code.ts'
import { compilePath } from './read-path.ts'
import type { Condition, ConditionTest } from './table-plan.ts'

/** The codes of lists that records brought; see `ConditionTest`. */
export type FoundCodes = Set<string>

/**
 * The position of the first condition, in the order written, that a value (a record, or an element of a table's `each`)
 * fails; -1 where it meets them all.
 */
export type FindFailing = (value: unknown, found: FoundCodes) => number

/** Whether what is found at the path of a condition meets its test. */
export type Match = (value: unknown, found: FoundCodes) => boolean

export function compileConditions(conditions: readonly Condition[]): FindFailing {
  const fails = conditions.map(({ steps, otherSteps = [], test }) => {
    const reads = [steps, ...otherSteps].map(compilePath)
    const meets = compileTest(test)
    // All paths are looked at: each may bring a code.
    return (value: unknown, found: FoundCodes) => reads.filter((read) => meets(read(value), found)).length === 0
  })
  return (value, found) => fails.findIndex((fail) => fail(value, found))
}

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

/** Notes the codes of lists on a line that was rejected: they brought something, if not a record. */
export function compileFinding(conditions: readonly Condition[]): (delivered: unknown, found: FoundCodes) => void {
  const lists = conditions.filter(({ test }) => test.kind === 'listed')
  const findings = lists.map(({ steps, otherSteps = [], test }) => {
    const fields = [steps, ...otherSteps].flatMap(([step]) => (step?.kind === 'field' ? [step.name] : []))
    const meets = compileTest(test)
    return (record: Readonly<Record<string, unknown>>, found: FoundCodes) => {
      for (const field of fields) meets(record[field], found)
    }
  })
  return (delivered, found) => {
    if (findings.length === 0 || typeof delivered !== 'object' || delivered === null) return
    for (const find of findings) find(delivered as Readonly<Record<string, unknown>>, found)
  }
}

function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const wanted = new Set(values)
  return (value) => wanted.has(value ?? null)
}
