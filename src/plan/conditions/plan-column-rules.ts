import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field } from '../../contracts/fields.ts'
import { formatCount } from '../../text/format-count.ts'
import { showValue } from '../../text/show-value.ts'
import { formatColumnType, typeOf } from '../../types/column-types.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import { toCountLimit } from '../count-limit.ts'
import { type Compared, planRange, planValues, type ToBoundPath, toScalar } from './plan-comparison.ts'
import type { RulePlan } from './rule-plan.ts'

export type RuleConfig = CompletePipelineConfig['expect'][number]

export type PlannedTest = Pick<RulePlan, 'test' | 'expected'>

/** An entry of `expect` with its column and the field of that column. */
export interface ColumnRules {
  readonly config: RuleConfig
  readonly column: ColumnPlan
  readonly field: Field | undefined
  readonly path: Problem['path']
  readonly timezone: string
  readonly problems: Problem[]
  readonly notes: Problem[]
}

export function planColumnRules(rules: ColumnRules): PlannedTest[] {
  const { column, field, problems } = rules
  const scalar = column.type.kind === 'text' && field ? toScalar(field) : null
  const compared: Compared = {
    by: 'rule',
    type: typeOf(column.type).compared(column.timezone ?? rules.timezone),
    shown: showColumn(column),
    field: scalar?.type === 'text' ? scalar : undefined,
    from: column.from,
    problems,
  }
  const compare = [planBounds(rules, compared), planListed('in', rules, compared), planListed('not', rules, compared)]
  return [...compare, planMatches(rules), planUnique(rules), planFilled(rules)].flat()
}

function planBounds({ config, path, ...found }: ColumnRules, compared: Compared): PlannedTest[] {
  const { bounds, toPath } = readBounds(config, path, found)
  if (bounds.from === undefined && bounds.until === undefined) return []
  const test = planRange(bounds, compared, toPath)
  const expected = describeBounds(bounds, String)
  return test === null ? [] : [{ test, expected }]
}

function planListed(key: 'in' | 'not', rules: ColumnRules, compared: Compared): PlannedTest[] {
  const { config, column, path } = rules
  const values = config[key]
  if (values === undefined) return []
  if (typeOf(column.type).isOpaque) return refuse(key, 'a column of single values', rules)
  const test = planValues(key, values, compared, [...path, key])
  const words = [values].flat().map((value) => (value === '' ? '""' : String(value)))
  return test === null ? [] : [{ test, expected: `${key === 'in' ? 'one' : 'none'} of ${words.join(', ')}` }]
}

function planMatches(rules: ColumnRules): PlannedTest[] {
  const { config, column, path, problems } = rules
  const { matches: pattern } = config
  if (pattern === undefined) return []
  if (column.type.kind !== 'text') return refuse('matches', 'a column of text', rules)
  if (isPattern(pattern)) return [{ test: { kind: 'matches', pattern }, expected: `a text that matches ${pattern}` }]
  problems.push(problemAt([...path, 'matches'], `rule: expected a regular expression, got ${showValue(pattern)}`))
  return []
}

function planUnique(rules: ColumnRules): PlannedTest[] {
  const { config, column } = rules
  if (config.unique === undefined) return []
  if (column.list || typeOf(column.type).isOpaque) return refuse('unique', 'a column of single values', rules)
  return [{ test: { kind: 'unique' }, expected: 'each value once' }]
}

function planFilled({ config: { filled } }: ColumnRules): PlannedTest[] {
  if (filled === undefined) return []
  const least = toCountLimit(filled)
  const shown = least.kind === 'share' ? `${least.percent}%` : `${formatCount(least.count)} rows`
  return [{ test: { kind: 'filled', least }, expected: `at least ${shown} filled` }]
}

function refuse(key: string, expected: string, { column, path, problems }: ColumnRules): PlannedTest[] {
  problems.push(problemAt([...path, key], `rule: expected ${expected} for ${key}, got ${showColumn(column)}`))
  return []
}

export function showColumn(column: ColumnPlan): string {
  return `${column.name}, ${formatColumnType(column)}`
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The bounds of a rule and their places. `to` is the former name of `until`. */
export function readBounds<Bound extends string | number>(
  { from, until, to }: { readonly [Key in 'from' | 'until' | 'to']?: Bound | undefined },
  path: Problem['path'],
  { problems, notes }: Pick<ColumnRules, 'problems' | 'notes'>,
) {
  const toPath: ToBoundPath = (key) => {
    return key === null ? path : [...path, key === 'until' && to !== undefined ? 'to' : key]
  }
  const place = { path: toPath('until'), atKey: true } as const
  if (to !== undefined && until === undefined) notes.push({ ...place, message: 'rule: `to` is now `until`' })
  if (to !== undefined && until !== undefined) {
    problems.push({ ...place, message: 'rule: expected until alone, got it beside to, which means the same' })
  }
  return { bounds: { from, until: until ?? to }, toPath }
}

/** `at least 1`, `at most 10`, `1 to 10` */
export function describeBounds<Bound>(
  { from, until }: { readonly from: Bound | undefined; readonly until: Bound | undefined },
  format: (bound: Bound) => string,
): string {
  const [low, high] = [from, until].map((bound) => (bound === undefined ? undefined : format(bound)))
  if (high === undefined) return `at least ${low}`
  return low === undefined ? `at most ${high}` : `${low} to ${high}`
}
