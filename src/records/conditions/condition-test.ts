import { toComparableCode } from '../../codes/code-text.ts'
import type { Comparison, ConditionTest, NotedFact, Range, ValueTest } from './condition.ts'

/** Takes the codes of lists that records bring; see `ValueTest`. */
export interface CodeTaker {
  add(code: string, key?: string): unknown
  note?(fact: NotedFact, value: string): void
}

/** Tests a record, an element of a list, or the cells of either. */
export type Meets<Item> = (item: Item, found: CodeTaker) => boolean

/** How conditions find what they are on: in objects, or in cells. */
export interface ConditionReading<Condition, Item> {
  /** One reader for each path of the condition. */
  readonly values: (condition: Condition) => readonly ((item: Item) => unknown)[]
  /** The elements of a list that are not null. */
  readonly elements: (condition: Condition) => (item: Item) => readonly Item[]
}

export function compileCondition<Condition extends { readonly test: ConditionTest<Condition> }, Item>(
  condition: Condition,
  reading: ConditionReading<Condition, Item>,
): Meets<Item> {
  const { test } = condition
  switch (test.kind) {
    case 'some':
    case 'none': {
      const listElements = reading.elements(condition)
      const meetsAll = compileAll(test.where, reading)
      const isMet = test.kind === 'some'
      return (item, found) => listElements(item).some((element) => meetsAll(element, found)) === isMet
    }
    case 'any': {
      const groups = test.of.map((where) => compileAll(where, reading))
      // All lists are looked at: each may bring a code.
      if (test.of.flat().some((each) => each.test.kind === 'listed'))
        return (item, found) => groups.filter((meetsAll) => meetsAll(item, found)).length > 0
      return (item, found) => groups.some((meetsAll) => meetsAll(item, found))
    }
    default: {
      const reads = reading.values(condition)
      const matches = compileTest(test)
      const [only] = reads
      if (reads.length === 1 && only !== undefined) return (item, found) => matches(only(item), found)
      // All paths are looked at: each may bring a code.
      return (item, found) => reads.filter((read) => matches(read(item), found)).length > 0
    }
  }
}

export function compileAll<Condition extends { readonly test: ConditionTest<Condition> }, Item>(
  where: readonly Condition[],
  reading: ConditionReading<Condition, Item>,
): Meets<Item> {
  const all = where.map((condition) => compileCondition(condition, reading))
  return (item, found) => all.every((meets) => meets(item, found))
}

type Match = (value: unknown, found: CodeTaker) => boolean

export function compileTest(test: ValueTest): Match {
  switch (test.kind) {
    case 'listed':
      return compileListed(test)
    case 'noted':
      return (value, found) => {
        if (typeof value === 'string' || typeof value === 'number') found.note?.(test.as, String(value))
        return true
      }
    default:
      return compileComparison(test)
  }
}

export function compileComparison(test: Comparison<number | bigint>): (value: unknown) => boolean {
  switch (test.kind) {
    case 'in':
      return compileAnyOf(test)
    case 'not': {
      const isIn = compileAnyOf(test)
      return (value) => !isIn(value)
    }
    case 'range': {
      const isInside = compileRange(test)
      return (value) => (Array.isArray(value) ? value.some(isInside) : isInside(value))
    }
  }
}

function compileAnyOf({ values, ranges = [] }: Extract<Comparison<number | bigint>, { kind: 'in' | 'not' }>) {
  const wanted = new Set<unknown>(values.filter((value) => value !== null))
  const takesNull = values.includes(null)
  const inside = ranges.map(compileRange)
  const isIn = (value: unknown): boolean => wanted.has(value) || inside.some((isInside) => isInside(value))
  return (value: unknown): boolean =>
    isNull(value) ? takesNull : Array.isArray(value) ? value.some(isIn) : isIn(value)
}

/** True also of a list in which no element has a value. */
function isNull(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.every(isNull))
}

function compileRange({ from, until }: Range<number | bigint>): (value: unknown) => boolean {
  return (value) =>
    (typeof value === 'number' || typeof value === 'bigint') &&
    (from === null || value >= from) &&
    (until === null || value <= until)
}

function compileListed({ codes: listed, isNotedOnly, key }: Extract<ValueTest, { kind: 'listed' }>): Match {
  const codes = new Set(listed)
  const isListed = (value: unknown, found: CodeTaker) => {
    const code = toComparableCode(value)
    if (code === '' || !codes.has(code)) return false
    found.add(code, key)
    return true
  }
  return (value, found) => [value].flat().filter((each) => isListed(each, found)).length > 0 || isNotedOnly === true
}
