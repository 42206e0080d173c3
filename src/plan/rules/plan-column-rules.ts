import { type Problem, problemAt } from '../../config/problem.ts'
import { showValue } from '../../text/show-value.ts'
import { expectedOf, readConfigValue, type ValueType } from '../../records/conditions/config-value.ts'
import { formatColumnType } from '../../records/flatten/column.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import { toCountLimit } from '../count-limit.ts'
import { checkLast, formatRange, lastOf, type PlannedTests, type RuleConfig } from './rule-config.ts'
import { formatCount } from '../../text/format-count.ts'

/** A column with the values that its cells hold. */
export type RuleColumn = Pick<ColumnPlan, 'name' | 'type' | 'list'> & { readonly values: ValueType }

/** The tests that an entry makes of its column. */
export function planColumnRules(config: RuleConfig, column: RuleColumn, path: Problem['path']): PlannedTests {
  const planned = [planRange, planIn, planNot, planMatches, planUnique, planFilled].map((plan) =>
    plan(config, column, path),
  )
  return { tests: planned.flatMap(({ tests }) => tests), problems: planned.flatMap(({ problems }) => problems) }
}

type PlanTest = (config: RuleConfig, column: RuleColumn, path: Problem['path']) => PlannedTests

const nothing: PlannedTests = { tests: [], problems: [] }

const planRange: PlanTest = (config, column, path) => {
  const { from } = config
  const { key, last } = lastOf(config)
  if (from === undefined && last === undefined) return nothing
  if (!ordered.has(column.type.kind)) {
    return refuse(from === undefined ? key : 'from', 'a column of numbers, dates or times', column, path)
  }
  const bounds = [readValue(from, column, [...path, 'from']), readValue(last, column, [...path, key])] as const
  const problems = [...bounds.flatMap(({ problem }) => problem ?? []), ...checkLast(config, path)]
  if (problems.length > 0) return { tests: [], problems }
  const [low, high] = [bounds[0].value?.from ?? null, bounds[1].value?.until ?? null]
  if (low !== null && high !== null && Number(low) > Number(high)) {
    return toProblem(`rule: expected from before ${key}, got from ${from} ${key} ${last}`, [...path, key])
  }
  return toTest({ kind: 'range', from: low, to: high }, formatRange(from?.toString(), last?.toString()))
}

const ordered = new Set(['integer', 'float', 'decimal', 'timestamp', 'date'])

const planIn: PlanTest = (config, column, path) => planValues('in', config, column, path)

const planNot: PlanTest = (config, column, path) => planValues('not', config, column, path)

function planValues(key: 'in' | 'not', config: RuleConfig, column: RuleColumn, path: Problem['path']): PlannedTests {
  const values = config[key]
  if (values === undefined) return nothing
  if (column.type.kind === 'json') return refuse(key, 'a column of single values', column, path)
  const read = values.map((value, at) => readValue(value, column, [...path, key, at]))
  const problems = read.flatMap(({ problem }) => problem ?? [])
  if (problems.length > 0) return { tests: [], problems }
  const shown = values.map((value) => (value === '' ? '""' : String(value))).join(', ')
  const spans = read.flatMap(({ value }) => value ?? [])
  const canonical = spans.filter(({ from, until }) => from === until).map(({ from }) => from)
  const ranges = spans.filter(({ from, until }) => from !== until)
  const test = { kind: key, values: canonical, ...(ranges.length > 0 && { ranges }) }
  return toTest(test, `${key === 'in' ? 'one' : 'none'} of ${shown}`)
}

const planMatches: PlanTest = ({ matches }, column, path) => {
  if (matches === undefined) return nothing
  if (column.type.kind !== 'text') return refuse('matches', 'a column of text', column, path)
  if (!isPattern(matches)) {
    return toProblem(`rule: expected a regular expression, got ${showValue(matches)}`, [...path, 'matches'])
  }
  return toTest({ kind: 'matches', pattern: matches }, `a text that matches ${matches}`)
}

const planUnique: PlanTest = ({ unique }, column, path) => {
  if (unique === undefined) return nothing
  const isSingle = !column.list && column.type.kind !== 'json'
  return isSingle
    ? toTest({ kind: 'unique' }, 'each value once')
    : refuse('unique', 'a column of single values', column, path)
}

const planFilled: PlanTest = ({ filled }) => {
  if (filled === undefined) return nothing
  const least = toCountLimit(filled)
  const shown = least.kind === 'share' ? `${least.percent}%` : `${formatCount(least.count)} rows`
  return toTest({ kind: 'filled', least }, `at least ${shown} filled`)
}

function toTest(test: PlannedTests['tests'][number]['test'], expected: string): PlannedTests {
  return { tests: [{ test, expected }], problems: [] }
}

function toProblem(message: string, path: Problem['path']): PlannedTests {
  return { tests: [], problems: [problemAt(path, message)] }
}

function refuse(key: string, expected: string, column: RuleColumn, path: Problem['path']): PlannedTests {
  const got = `${column.name}, ${formatColumnType(column)}`
  return toProblem(`rule: expected ${expected} for ${key}, got ${got}`, [...path, key])
}

interface ReadValue {
  /** The first and the last value, which are two for a day among times. */
  readonly value: { readonly from: string; readonly until: string } | null
  readonly problem: Problem | null
}

/** A value of the config as cells have it; null for none. */
function readValue(
  written: string | number | boolean | undefined,
  { values }: RuleColumn,
  path: Problem['path'],
): ReadValue {
  if (written === undefined) return { value: null, problem: null }
  const read = readConfigValue(written, values)
  if (read === undefined) {
    const message = `rule: expected ${expectedOf(values)}, got ${showValue(written)}`
    return { value: null, problem: problemAt(path, message) }
  }
  const { from, until } = typeof read === 'object' ? read : { from: read, until: read }
  return { value: { from: String(from), until: String(until) }, problem: null }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
