import { compilePath } from './read-path.ts'
import type { Condition, ConditionTest } from './table-plan.ts'

/** Whether a value (a record, or an element of a table's `each`) meets every condition. */
export type Match = (value: unknown) => boolean

/** On a list, `in` and ranges hold when any element meets them, and `not` when none has one of the values. */
export function compileConditions(conditions: readonly Condition[]): Match {
  const matches = conditions.map(({ steps, test }) => {
    const read = compilePath(steps)
    const meets = compileTest(test)
    return (value: unknown) => meets(read(value))
  })
  return (value) => matches.every((match) => match(value))
}

/** The same for the value itself. */
export function compileTest(test: ConditionTest): Match {
  switch (test.kind) {
    case 'in': {
      const isIn = isOneOf(test.values)
      return (found) => (Array.isArray(found) ? found.some(isIn) : isIn(found))
    }
    case 'not': {
      const isIn = isOneOf(test.values)
      return (found) => (Array.isArray(found) ? !found.some(isIn) : !isIn(found))
    }
    case 'range': {
      const { from, until } = test
      const isInside: Match = (found) =>
        (typeof found === 'number' || typeof found === 'bigint') &&
        (from === null || found >= from) &&
        (until === null || found <= until)
      return (found) => (Array.isArray(found) ? found.some(isInside) : isInside(found))
    }
  }
}

function isOneOf(values: readonly unknown[]): Match {
  const wanted = new Set(values)
  return (value) => wanted.has(value ?? null)
}
