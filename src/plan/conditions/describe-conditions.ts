import type { Field, ObjectField } from '../../contracts/fields.ts'
import type { Condition, ConditionTest, Range, ValueTest } from '../../records/conditions/condition.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { compileLocalDay, findDayStart } from '../../types/time-zone.ts'
import { follow } from '../records/describe-tables.ts'

/** Describes conditions in words, those on elements of one list together. Days are shown in the time zone. */
export function describeConditions(where: readonly Condition[], root: Field | undefined, timezone: string): string[] {
  const groups = new Map<string, string[]>()
  for (const [at, condition] of where.filter(({ test }) => test.kind !== 'noted').entries()) {
    const { key = `condition ${at}`, words } = describe(condition, root, timezone)
    groups.set(key, [...(groups.get(key) ?? []), words])
  }
  return [...groups.values()].map((all) =>
    all.length === 1 ? all.join() : `${all.join(' and ')}, not necessarily the same one`,
  )
}

interface Described {
  /** Identifies the list of which the condition wants some element. */
  readonly key?: string
  readonly words: string
}

function describe(condition: Condition, root: Field | undefined, timezone: string): Described {
  const { from, steps, test, shown } = condition
  switch (test.kind) {
    case 'any':
      return { words: test.of.map((where) => describeConditions(where, root, timezone).join(' and ')).join(', or ') }
    case 'some':
    case 'none': {
      const { field } = follow(root, steps)
      const asked = describeConditions(test.where, field, timezone).join(' and ')
      return { words: `${oneOf(test.kind === 'some', field)}${asked === '' ? '' : ` with ${asked}`}` }
    }
    case 'listed':
      return { words: `${from} among ${shown}` }
    default:
      return describeValue(condition, test, root, timezone)
  }
}

function describeValue(
  { from, steps }: Condition,
  test: ValueTest,
  root: Field | undefined,
  timezone: string,
): Described {
  const { field, listEnd, element } = enterElements(steps, root)
  const zone = field?.kind === 'scalar' && field.type === 'timestamp' ? timezone : null
  if (element === undefined) return { words: describeTest(from, test, zone, steps.at(-1)?.kind === 'all') }
  const isSome = isAboutOne(test)
  // "No element passes" is described by the reverse of the test.
  const asked = isSome ? test : reverse(test)
  const path = from.slice(from.lastIndexOf('[]', from.endsWith('[]') ? -3 : undefined) + 3) || from
  const words = `${oneOf(isSome, element)} with ${describeTest(path, asked, zone, false)}`
  return { ...(isSome && { key: JSON.stringify(steps.slice(0, listEnd)) }), words }
}

interface Entered {
  readonly field: Field | undefined
  /** Number of steps to the elements of the last list of objects; 0 if the path enters none. */
  readonly listEnd: number
  readonly element: ObjectField | undefined
}

function enterElements(steps: readonly Step[], root: Field | undefined): Entered {
  const ends = steps.flatMap(({ kind }, at) => (kind === 'all' ? [at + 1] : []))
  const lists = ends.flatMap((listEnd) => {
    const { field } = follow(root, steps.slice(0, listEnd))
    return field?.kind === 'object' ? [{ listEnd, element: field }] : []
  })
  return { field: follow(root, steps).field, ...(lists.at(-1) ?? { listEnd: 0, element: undefined }) }
}

/**
 * Whether one element is enough to pass the test. A test for no value, or for none of some values, has to hold for all.
 */
function isAboutOne(test: ValueTest): boolean {
  if (test.kind === 'in') return test.values.some((value) => value !== null) || test.ranges !== undefined
  return test.kind !== 'not' || test.values.every((value) => value === null)
}

function reverse(test: ValueTest): ValueTest {
  if (test.kind === 'in') return { ...test, kind: 'not' }
  return test.kind === 'not' ? { ...test, kind: 'in' } : test
}

function oneOf(isSome: boolean, element: Field | undefined): string {
  const noun = element?.kind === 'object' ? element.record.replaceAll('_', ' ') : 'element'
  return isSome ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : `no ${noun}`
}

/** Describes a test; `zone` is the time zone of values that are times. */
function describeTest(path: string, test: ValueTest, zone: string | null, isList: boolean): string {
  switch (test.kind) {
    case 'range':
      return `${path} ${describeRange(test, zone)}`
    case 'listed':
    case 'noted':
      return path
    case 'in':
    case 'not': {
      const named = listValues(test, zone)
      const takesNull = test.values.includes(null)
      if (test.kind === 'in') {
        const none = takesNull ? [`no value of ${path}`] : []
        return [...(named.length === 0 ? [] : [`${path} ${named.join(' or ')}`]), ...none].join(', or ')
      }
      if (named.length === 0) return `a value of ${path}`
      const other = named.join(' or ')
      return takesNull
        ? `a value of ${path}, and none that is ${other}`
        : `${path} ${isList ? 'without' : 'not'} ${other}`
    }
  }
}

function listValues({ values, ranges = [] }: Extract<ConditionTest, { kind: 'in' | 'not' }>, zone: string | null) {
  const byCode = new Map<string, unknown>()
  for (const value of values) {
    const key = toComparableCode(value) || String(value)
    if (value !== null && !byCode.has(key)) byCode.set(key, value)
  }
  const texts = [...byCode.values()].map((value) => showValue(value, zone))
  const all = [...texts, ...ranges.map((range) => describeRange(range, zone))]
  return all.length <= mostValues ? all : [...all.slice(0, mostValues), `${all.length - mostValues} more`]
}

const mostValues = 5

/** `from 2025-06-01 until the end of 2025-06-10 in Europe/Brussels` */
function describeRange({ from, until }: Range, zone: string | null): string {
  const first = from === null ? null : findDay(from, from, zone)
  const last = until === null ? null : findDay(until + 1, until, zone)
  if (first !== null && first === last) return `${first} in ${zone}`
  const bounds = [
    from === null ? '' : `from ${first ?? showValue(from, zone)}`,
    until === null ? '' : `until ${last === null ? showValue(until, zone) : `the end of ${last}`}`,
    (first ?? last) === null ? '' : `in ${zone}`,
  ]
  return bounds.filter(Boolean).join(' ')
}

/** The day of a time if a day begins at the edge, otherwise null; both in Unix seconds. */
function findDay(edge: number, time: number, zone: string | null): string | null {
  if (zone === null || !isDate(time)) return null
  const toDay = compileLocalDay(zone)
  if (findDayStart(toDay(edge * 1000), zone) !== edge * 1000) return null
  return new Date(toDay(time * 1000) * 86_400_000).toISOString().slice(0, 10)
}

function showValue(value: unknown, zone: string | null): string {
  if (zone !== null && isDate(value)) return new Date(value * 1000).toISOString().replace('.000Z', 'Z')
  return value === '' ? '""' : String(value)
}

/** Excludes numbers beyond the year 9999, which are probably milliseconds. */
function isDate(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Math.abs(seconds) < 253_402_300_000
}
